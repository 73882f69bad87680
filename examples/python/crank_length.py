"""Cranks of several lengths: what a longer stroke costs in the bearing."""

import gelenk as gk


def main():
    machine = gk.demo("crank_slider")
    loads = []
    for length in (40, 50, 60):
        run = machine.with_parameters(crank_length=f"{length} mm").run(duration="0.2 s")
        load = run["crank_pin.reaction.force.magnitude"].max()
        stroke = run["piston.position.x"].max() - run["piston.position.x"].min()
        print(f"crank {length} mm: stroke {1e3 * stroke:.1f} mm, largest load in the pin {load:.1f} N, {run.certificate['verdict']}")
        loads.append(load)
    return loads


if __name__ == "__main__":
    main()
