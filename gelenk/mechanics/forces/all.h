#pragma once

#include "gelenk/mechanics/forces/actuator.h"
#include "gelenk/mechanics/forces/bushing.h"
#include "gelenk/mechanics/forces/drag.h"
#include "gelenk/mechanics/forces/force.h"
#include "gelenk/mechanics/forces/gravitation.h"
#include "gelenk/mechanics/forces/laws.h"
#include "gelenk/mechanics/forces/rotational_spring_damper.h"
#include "gelenk/mechanics/forces/spring_damper.h"
#include "gelenk/mechanics/forces/tire.h"
#include "gelenk/mechanics/forces/torque.h"
