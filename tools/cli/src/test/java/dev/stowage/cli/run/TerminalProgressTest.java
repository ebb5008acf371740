package dev.stowage.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.plan.search.SearchProgress;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class TerminalProgressTest {

  @Test
  void message_ofASearch_tellsBestBoundAndSpeed() {
    SearchProgress progress =
        new SearchProgress(4_878_720, 4_530_240, 3000, Duration.ofMillis(1500));

    assertThat(TerminalProgress.message(progress))
        .isEqualTo("4,878,720 bytes, at least 4,530,240; 2,000 nodes/s");
  }

  @Test
  void message_ofARun_tellsTheOperatorThatRuns() {
    assertThat(TerminalProgress.message(1233, 1300)).isEqualTo("operator 1,234");
    assertThat(TerminalProgress.message(1300, 1300)).isEqualTo("ONNX Runtime's optimized run");
  }

  @Test
  void message_noSearchYet_tellsNoSpeed() {
    assertThat(TerminalProgress.message(new SearchProgress(1, 1, 0, Duration.ZERO)))
        .isEqualTo("1 byte, at least 1");
  }
}
