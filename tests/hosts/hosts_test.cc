#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <thread>

#include "gelenk/base/index.h"
#include "tests/hosts/hosts_test_support.h"

// A good component gives the same numbers, bit for bit, wherever it runs.
namespace gelenk::component::test::hosts_test {
namespace {

using testing::HasSubstr;

class BothHosts : public testing::TestWithParam<Place> {};
INSTANTIATE_TEST_SUITE_P(Hosts, BothHosts, testing::Values(Place::in_process, Place::worker),
                         [](const auto& test) { return test.param == Place::worker ? "worker" : "in_process"; });

// One step of the classical Runge-Kutta method from state 0 to state 0, and everything that can be asked then.
std::vector<double> step(Host& host, double time, double h) {
  Batch batch;
  const std::vector<double> nodes{0.0, 0.5 * h, 0.5 * h, h};
  for (int stage = 0; stage < 4; ++stage) {
    if (stage > 0) batch.add(GELENK_COMBINE, 0, 1, {nodes[at(stage)], stage - 1.0}).time = time + nodes[at(stage)];
    add_stage(batch, stage == 0 ? 0 : 1, stage);
  }
  const std::vector<double> weights{h / 6.0, 0.0, h / 3.0, 1.0, h / 3.0, 2.0, h / 6.0, 3.0};
  batch.add(GELENK_ERROR_NORM, 0, 1, {h, 0.0, -h, 3.0}, 2);
  batch.add(GELENK_COMBINE, 0, 2, weights).time = time + h;
  batch.add(GELENK_COPY, 2, 0);
  batch.add(GELENK_SLACKS, 0, 0, {}, 1);
  batch.add(GELENK_NEXT_JUMP, 0, 0, {}, 1);
  batch.add(GELENK_OUTPUTS, 0, 0, {}, 3);
  EXPECT_TRUE(host.perform(batch.commands()));
  return batch.all_outs();
}

std::vector<double> numbers_of_run(Host& host) {
  EXPECT_TRUE(start(host));
  std::vector<double> all;
  for (int i = 0; i < 20; ++i) {
    const std::vector<double> outs = step(host, 0.01 * i, 0.01);
    all.insert(all.end(), outs.begin(), outs.end());
  }
  Batch batch;  // what a step does not need
  batch.add(GELENK_COMBINE_RATES, 0, 3, {0.5, 0.0, 0.5, 1.0});
  batch.add(GELENK_COMBINE_STAGE, 0, 3, {0.0, 1e-2, 2e-2, 3e-4, 1e-3}).time = 0.3;
  batch.add(GELENK_LOAD, 3, 0, {0.0}, kLoadNumbers);
  batch.add(GELENK_RIGHT_SIDE, 3, 0, {}, 2).flags = GELENK_POSITION_GAPS;
  batch.add(GELENK_DOWN, 3, 0, {1.0, 0.0, 0.0, 0.0, 0.0, 1.0}, kMotions);
  batch.add(GELENK_TAKE, 3).flags = GELENK_POSITION_GAPS;
  batch.add(GELENK_RESIDUAL, 3, 0, {}, 6);
  batch.add(GELENK_TEST_LOAD, 3, 1, {}, kMotions);
  batch.add(GELENK_FORGET, 3);
  batch.add(GELENK_DRAWN, -1, 0, {}, kDrawnNumbers);
  batch.add(GELENK_LOAD, -1, 0, {}, kLoadNumbers);
  batch.add(GELENK_SETTLE, 3);
  batch.add(GELENK_CROSS, 3);
  batch.add(GELENK_FLIP, 3, 0);
  batch.add(GELENK_FLIP, 3, -1);
  batch.add(GELENK_SLACKS, 3, 0, {}, 1);
  batch.add(GELENK_OUTPUTS, 3, 0, {}, 3);
  EXPECT_TRUE(host.perform(batch.commands()));
  const std::vector<double> outs = batch.all_outs();
  all.insert(all.end(), outs.begin(), outs.end());
  return all;
}

TEST(Hosts, NumbersAreTheSameBitForBit) {
  const auto inside = mount(Place::in_process, "free_body");
  const auto outside = mount(Place::worker, "free_body");
  const std::vector<double> a = numbers_of_run(*inside), b = numbers_of_run(*outside);
  ASSERT_EQ(a.size(), b.size());
  EXPECT_EQ(std::memcmp(a.data(), b.data(), a.size() * sizeof(double)), 0);
  EXPECT_EQ(inside->read(GELENK_STATE, 0), outside->read(GELENK_STATE, 0));
}

// As a machine does it: what has no answer is posted, what comes next is begun, and each is asked for alone.
std::vector<double> led_step(Host& host, double time, double h) {
  std::vector<double> all;
  const auto post = [&](gelenk_code code, int other, std::vector<double> in, double at_time) {
    Batch batch;
    batch.add(code, 0, other, std::move(in)).time = at_time;
    host.post(batch.commands().front());
  };
  for (int stage = 0; stage < 4; ++stage) {
    const double dt = stage == 0 ? 0.0 : stage == 3 ? h : 0.5 * h;
    if (stage > 0) post(GELENK_COMBINE, 1, {dt, stage - 1.0}, time + dt);
    Batch batch;
    add_stage(batch, stage == 0 ? 0 : 1, stage);
    host.begin(batch.commands());
    for (const gelenk_command& command : batch.commands()) EXPECT_TRUE(host.perform({&command, 1}));
    const std::vector<double> outs = batch.all_outs();
    all.insert(all.end(), outs.begin(), outs.end());
  }
  post(GELENK_COMBINE, 2, {h / 6.0, 0.0, h / 3.0, 1.0, h / 3.0, 2.0, h / 6.0, 3.0}, time + h);
  post(GELENK_COPY, 1, {}, 0.0);
  return all;
}

TEST(Hosts, CommandsThatAreToldAndBegunGiveTheSameNumbers) {
  const auto inside = mount(Place::in_process, "free_body");
  const auto outside = mount(Place::worker, "free_body");
  EXPECT_TRUE(outside->works_ahead());
  ASSERT_TRUE(start(*inside) && start(*outside));
  EXPECT_EQ(led_step(*inside, 0.0, 0.01), led_step(*outside, 0.0, 0.01));
  EXPECT_EQ(inside->read(GELENK_STATE, 2), outside->read(GELENK_STATE, 2)) << "what was posted must not wait";
  EXPECT_EQ(inside->read(GELENK_STATE, 1), outside->read(GELENK_STATE, 0)) << "a copy";
}

TEST_P(BothHosts, WhoAsksForSomethingElseThanWasBegunGetsIt) {
  const auto ball = mount(GetParam(), "free_body");
  ASSERT_TRUE(start(*ball));
  Batch begun;
  add_stage(begun, 0, 0);
  ball->begin(begun.commands());
  ASSERT_TRUE(ball->perform({&begun.commands()[0], 1}));
  Batch other;
  other.add(GELENK_OUTPUTS, 0, 0, {}, 3);
  other.add(GELENK_FACTOR, 0, 0, {kRankTolerance}, kFactorNumbers);
  other.add(GELENK_DOWN, 0, 0, {3.0, 0.0, 0.0, 0.0, 0.0, 0.0}, kMotions);
  for (const gelenk_command& command : other.commands()) ASSERT_TRUE(ball->perform({&command, 1}));
  EXPECT_EQ(other.out(0)[0], 10.0) << "height";
  EXPECT_EQ(other.out(1)[0], 1.0 / 3.0);
  EXPECT_NEAR(other.out(2)[0], 1.0 + 0.7 / 3.0, 1e-15) << "with its own push, and not the load of what was begun";
}

TEST_P(BothHosts, WhatIsToldInVainEndsTheRunAtTheLatestWithTheNextQuestion) {
  const auto ball = mount(GetParam(), "free_body");
  ASSERT_TRUE(start(*ball));
  Batch batch;
  batch.add(GELENK_START, 77);
  batch.add(GELENK_OUTPUTS, 0, 0, {}, 3);
  try {
    ball->post(batch.commands()[0]);
    ball->perform({&batch.commands()[1], 1});
    FAIL();
  } catch (const ComponentFailure& failure) {
    EXPECT_EQ(failure.kind(), ComponentFailure::Kind::refused);
    EXPECT_THAT(failure.what(), HasSubstr("no such state"));
  }
}

constexpr std::size_t kMany = 10'000;  // 3 MB of answers

// A state is loaded, then factored that often.
Batch more_than_there_is_room_for() {
  Batch batch;
  batch.add(GELENK_LOAD, 0, 0, {0.0}, kLoadNumbers);
  for (std::size_t i = 0; i < kMany; ++i) batch.add(GELENK_FACTOR, 0, 0, {kRankTolerance}, kFactorNumbers);
  return batch;
}

TEST(Hosts, WhatHasNoRoomIsNotBegunButAnsweredAllTheSame) {
  const auto ball = mount(Place::worker, "free_body");
  ASSERT_TRUE(start(*ball));
  const Batch batch = more_than_there_is_room_for();
  Batch posted;
  posted.add(GELENK_COPY, 0, 3);
  ball->post(posted.commands().front());
  ball->begin(batch.commands());
  ASSERT_TRUE(ball->perform({batch.commands().data(), 1}));
  ASSERT_TRUE(ball->perform({&batch.commands()[1], 1}));
  EXPECT_EQ(batch.out(1)[0], 1.0 / 3.0);
  EXPECT_EQ(ball->read(GELENK_STATE, 3), ball->read(GELENK_STATE, 0)) << "what was posted is not forgotten";
}

TEST_P(BothHosts, TheBallFalls) {
  const auto ball = mount(GetParam(), "free_body");
  ASSERT_TRUE(start(*ball));
  double height = 0.0;
  for (int i = 0; i < 10; ++i) {
    const std::vector<double> outs = step(*ball, 0.1 * i, 0.1);
    height = outs[outs.size() - 3];
  }
  // 10 m, then one second under gravity and -0.3 N at 3 kg
  EXPECT_NEAR(height, 10.0 - 0.5 * (9.81 + 0.1), 1e-12);
}

TEST_P(BothHosts, SizesFollowFromTheManifestAndTheMounting) {
  const auto ball = make(GetParam(), "free_body");
  EXPECT_EQ(ball->sizes().mounts, 0u);
  ASSERT_EQ(ball->ports().size(), 3u);
  EXPECT_EQ(ball->ports()[0].rotation[0], 1.0);
  EXPECT_EQ(ball->ports()[1].rotation[4], 1.0) << "a signal has the place of the component";
  EXPECT_EQ(ball->length(), 0.5);
  ball->mount(mounting_of({frame_at(0.0), frame_at(0.5)}));
  const ComponentSizes& sizes = ball->sizes();
  EXPECT_EQ(sizes.mounts, 2u);
  EXPECT_EQ(sizes.motions(), 2 * kMotions);
  EXPECT_EQ(sizes.inputs, 1u);
  EXPECT_EQ(sizes.signals, 1u);
  EXPECT_EQ(sizes.outputs, 1u);
  EXPECT_EQ(sizes.switches, 1u) << "known only when it is mounted";
}

TEST_P(BothHosts, SeveralFramesAtOnePort) {
  constexpr std::size_t kTwo = 2 * kMotions;
  const auto ball = make(GetParam(), "free_body");
  ball->mount(mounting_of({frame_at(0.0), frame_at(0.5)}));
  ASSERT_TRUE(start(*ball));
  Batch batch;
  batch.add(GELENK_LOAD, 0, 0, {0.0}, 2 * 18 + 1);
  batch.add(GELENK_FACTOR, 0, 0, {kRankTolerance}, kTwo * kTwo + 3);
  batch.add(GELENK_DRAWN, -1, 0, {}, 2 * std::size_t{20} + kTwo * kTwo);
  ASSERT_TRUE(ball->perform(batch.commands()));
  const std::vector<double>&motions = batch.out(0), &D = batch.out(1), &drawn = batch.out(2);
  // It spins about z with 1 rad/s, so the second frame goes along y.
  EXPECT_EQ(motions[18 + 9], 0.5);
  EXPECT_EQ(motions[18 + 13], 0.5);
  // 3 kg and 0.3 kg m²: a force along y at the second frame moves it, and turns the ball.
  EXPECT_EQ(D[0], 1.0 / 3.0);
  EXPECT_DOUBLE_EQ(D[7 * kTwo + 7], 1.0 / 3.0 + 0.25 / 0.3);
  EXPECT_DOUBLE_EQ(D[5 * kTwo + 7], 0.5 / 0.3);
  EXPECT_TRUE(std::equal(motions.begin(), motions.begin() + 36, drawn.begin()));
  EXPECT_TRUE(std::equal(D.begin(), D.begin() + kTwo * kTwo, drawn.begin() + 40));
}

// 200 frames have a D of 12 MB, which nobody could know before.
TEST(Hosts, ManyFramesHaveRoomInAWorker) {
  std::vector<gelenk_mount> frames;
  for (int i = 0; i < 200; ++i) frames.push_back(frame_at(1e-3 * i));
  const auto ball = make(Place::worker, "free_body");
  ball->mount(mounting_of(frames));
  ASSERT_TRUE(start(*ball));
  const std::size_t size = ball->sizes().motions();
  Batch batch;
  batch.add(GELENK_FACTOR, 0, 0, {kRankTolerance}, size * size + 3);
  ASSERT_TRUE(ball->perform(batch.commands()));
  EXPECT_EQ(batch.out(0)[(size - 6) * size + size - 6], 1.0 / 3.0);
  const auto other = make(Place::worker, "free_body");
  EXPECT_THROW(other->mount(mounting_of(std::vector(2000, frame_at(0.0)))), ComponentFailure);
  EXPECT_NO_THROW(other->mount(mounting_of()));
}

TEST_P(BothHosts, AComponentIsMountedOnceBeforeItsFirstCommand) {
  const auto ball = make(GetParam(), "free_body");
  EXPECT_THROW(start(*ball), ComponentFailure);
  for (const std::uint32_t port : {1u, 3u}) {  // a signal, and none
    gelenk_mount elsewhere = frame_at(0.0);
    elsewhere.port = port;
    EXPECT_THROW(ball->mount(mounting_of({elsewhere})), ComponentFailure);
  }
  ball->mount(mounting_of());
  EXPECT_THROW(ball->mount(mounting_of()), ComponentFailure);
  EXPECT_TRUE(start(*ball));
}

// An owner who only looks at it.
TEST_P(BothHosts, AComponentMayBeMountedNowhere) {
  const auto ball = make(GetParam(), "free_body");
  ball->mount(mounting_of({}));
  ASSERT_TRUE(start(*ball));
  double nothing = 0.0;
  Batch batch;
  batch.add(GELENK_FACTOR, 0, 0, {kRankTolerance}, 3);
  gelenk_command& down = batch.add(GELENK_DOWN);
  down.in = down.out = &nothing;
  batch.add(GELENK_OUTPUTS, 0, 0, {}, 3);
  ASSERT_TRUE(ball->perform(batch.commands()));
  EXPECT_EQ(batch.out(2)[0], 10.0);
}

TEST_P(BothHosts, StatesAreKeptAndBroughtBack) {
  const auto ball = mount(GetParam(), "free_body");
  ASSERT_TRUE(start(*ball));
  step(*ball, 0.0, 0.1);
  const std::string kept = ball->read(GELENK_STATE, 0);
  const std::vector<double> first = step(*ball, 0.1, 0.1);
  ball->write(GELENK_STATE, 0, kept);
  EXPECT_EQ(step(*ball, 0.1, 0.1), first);
  EXPECT_EQ(ball->read(GELENK_SHAPE, 0), "");
  EXPECT_THROW(ball->write(GELENK_STATE, 99, kept), ComponentFailure);
}

TEST_P(BothHosts, AnUnwantedAnswerNeedsNoBuffer) {
  const auto ball = mount(GetParam(), "free_body");
  ASSERT_TRUE(start(*ball));
  Batch batch;
  batch.add(GELENK_LOAD, 0, 0, {0.0});
  batch.add(GELENK_FACTOR, 0, 0, {kRankTolerance});
  EXPECT_TRUE(ball->perform(batch.commands()));
  EXPECT_TRUE(ball->perform({}));
}

TEST_P(BothHosts, ARefusalNamesTheReasonAndTheComponentGoesOn) {
  const auto ball = mount(GetParam(), "free_body");
  ASSERT_TRUE(start(*ball));
  Batch batch;
  batch.add(GELENK_START, 77);
  try {
    ball->perform(batch.commands());
    FAIL();
  } catch (const ComponentFailure& failure) {
    EXPECT_EQ(failure.kind(), ComponentFailure::Kind::refused);
    EXPECT_THAT(failure.what(), HasSubstr("'ball'"));
    EXPECT_THAT(failure.what(), HasSubstr("no such state"));
  }
  EXPECT_TRUE(start(*ball));
}

TEST_P(BothHosts, BuffersOfAWrongSizeAreRefusedBeforeTheComponentSeesThem) {
  const auto ball = mount(GetParam(), "free_body");
  ASSERT_TRUE(start(*ball));
  for (const std::size_t size : {kMotions - 1, kMotions + 1}) {
    Batch batch;
    batch.add(GELENK_UP, 0, 0, {}, size);
    EXPECT_THROW(ball->perform(batch.commands()), ComponentFailure);
  }
}

TEST(Hosts, MoreCommandsThanThereIsRoomForGoInSeveralTrips) {
  const auto ball = mount(Place::worker, "free_body");
  ASSERT_TRUE(start(*ball));
  const Batch batch = more_than_there_is_room_for();
  ASSERT_TRUE(ball->perform(batch.commands()));
  for (std::size_t i = 1; i <= kMany; ++i) ASSERT_EQ(batch.out(i)[0], 1.0 / 3.0) << i;
}

TEST(Hosts, AResourceLargerThanTheSharedMemoryArrives) {
  HostSettings settings = free_body_settings();
  settings.resource = "0" + std::string(5'000'000, ' ');
  EXPECT_TRUE(start(*mount(Place::worker, "bad_body", settings)));
}

// A worker belongs to the process, not to the thread that started it.
TEST(Hosts, AWorkerOutlivesTheThreadThatStartedIt) {
  std::unique_ptr<Host> ball;
  std::thread([&] { ball = mount(Place::worker, "free_body"); }).join();
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_TRUE(start(*ball));
}

TEST(Hosts, ManyAtOnceInManyThreads) {
  std::vector<std::thread> threads;
  std::vector<std::vector<double>> numbers(4);
  for (auto& result : numbers) {
    threads.emplace_back([&result] { result = numbers_of_run(*mount(Place::worker, "free_body")); });
  }
  for (std::thread& thread : threads) thread.join();
  for (const auto& result : numbers) EXPECT_EQ(result, numbers.front());
}

TEST(Hosts, SeveralLibrariesInOneProcessAreNotMixedUp) {
  HostSettings heavy = free_body_settings();
  heavy.parameters = {300.0};
  const auto first = mount(Place::in_process, "free_body");
  mount(Place::in_process, "bad_body");  // loaded and gone: the next may get its descriptor
  const auto second = mount(Place::in_process, "free_body", heavy);
  for (const auto& [ball, mass] : {std::pair(first.get(), 3.0), std::pair(second.get(), 300.0)}) {
    ASSERT_TRUE(start(*ball));
    Batch batch;
    batch.add(GELENK_FACTOR, 0, 0, {kRankTolerance}, kFactorNumbers);
    ASSERT_TRUE(ball->perform(batch.commands()));
    EXPECT_EQ(batch.out(0)[0], 1.0 / mass);
  }
}

}  // namespace
}  // namespace gelenk::component::test::hosts_test
