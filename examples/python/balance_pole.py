"""A cart keeps a pole upright: the model is built here, the controller looks at it every 10 ms."""

import gelenk as gk

GAINS = (4.0, 7.0, 45.0, 10.0)  # N/m, N*s/m, N/rad, N*s/rad


def cart_pole():
    model = gk.Model(name="cart_pole")
    model.add_input("push", value="0 N")
    model.add_part("cart", mass="1 kg", inertia={"xx": 0.1, "yy": 0.1, "zz": 0.1},
                   shape={"box": {"size": ["0.3 m", "0.2 m", "0.1 m"]}})
    model.add_part("pole", mass="0.2 kg", shape={"capsule": {"radius": "15 mm", "from": [0, 0, 0], "to": [0, 0, "0.8 m"]}})
    model.add_joint("slider", type="prismatic", between=["ground", "cart"], axis="x")
    model.add_joint("hinge", type="revolute", between=["cart", "pole"], axis="y", start={"angle": "8 deg"})
    model.add_force("motor", type="actuator", drives="slider.travel", value="=push")
    return model


def main():
    sim = cart_pole().assemble().simulator(method="dopri5", tolerance=1e-8)
    look = sim.observer(["slider.travel", "slider.speed", "hinge.angle", "hinge.rate"])
    while sim.time < 6.0:
        sim.inputs["push"] = sum(gain * value for gain, value in zip(GAINS, look(), strict=True))
        sim.advance(sim.time + 0.01)
    travel, _, angle, _ = look()
    print(f"after {sim.time:.3g} s: the cart is at {travel:.4f} m, the pole at {angle:.4f} rad")
    return abs(travel), abs(angle)


if __name__ == "__main__":
    main()
