package dev.stowage.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The measurements run over the stand-in, with meaningless results. */
@ExtendWith(StandIn.class)
class GpuCheckTest {

  @Test
  void figures_overTheStandIn_areComplete() throws Exception {
    assertThat(GpuCheck.figures(StandIn.library(), GpuScale.smoke()).lines())
        .startsWith("## cuda:0 Stand-in A, Java " + Runtime.version())
        .filteredOn(line -> line.matches("\\| [^|]+( \\| [0-9.,]+){3} \\|"))
        .hasSize(2 * (11 + 4) + 4 + 2);
  }
}
