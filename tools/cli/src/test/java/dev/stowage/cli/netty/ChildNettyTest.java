package dev.stowage.cli.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.plan.InputRefusedException;
import dev.stowage.cli.plan.WorkInterruptedException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ChildNettyTest {

  @ParameterizedTest
  @ValueSource(ints = {130, 143})
  void failure_signal_isAnInterruption(int exitCode) {
    assertThat(ChildNetty.failure(exitCode, "Netty 9", List.of()))
        .isInstanceOf(WorkInterruptedException.class);
  }

  @Test
  void failure_otherExitCode_hasTheErrors() {
    assertThat(ChildNetty.failure(1, "Netty 9", List.of("first", "second")))
        .isInstanceOf(InputRefusedException.class)
        .hasMessage("the process that runs Netty 9 ended early: first: second");
  }
}
