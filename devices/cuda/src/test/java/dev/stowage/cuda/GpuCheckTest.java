package dev.stowage.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cuda.standin.StandIn;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The measurements run over the stand-in, with meaningless results. */
class GpuCheckTest {

  @RegisterExtension final StandIn standIn = new StandIn();

  @Test
  void figures_overTheStandIn_areComplete() throws Exception {
    assertThat(GpuCheck.figures(standIn::functions, GpuScale.smoke()).lines())
        .startsWith("## cuda:0 Stand-in A, Java " + Runtime.version())
        .filteredOn(line -> line.matches("\\| [^|]+( \\| [0-9.,]+){3} \\|"))
        .hasSize(10 + 2 * (10 + 6) + 2 + 4 + 2);
  }
}
