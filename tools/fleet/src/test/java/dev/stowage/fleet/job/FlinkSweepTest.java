package dev.stowage.fleet.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class FlinkSweepTest {

  @Test
  void run_onAPortWithoutJobManager_namesTheAddress() throws Exception {
    FlinkSweep sweep =
        new FlinkSweep(
            new SweepTask("stowage", "/", "plan", List.of(), "/nowhere"),
            Optional.of(InetSocketAddress.createUnresolved("localhost", 1)));

    Optional<String> failure = sweep.run(List.of(List.of("a.csv")), count -> {});

    // The reason is a text of the system, in its language.
    assertThat(failure)
        .hasValueSatisfying(
            text -> assertThat(text).matches("the sweep cannot start on localhost:1: .+"));
  }
}
