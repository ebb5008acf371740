package dev.stowage.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Processes that are no virtual machines. */
class AttachedVmTest {

  /** SIGQUIT, with which the attach API begins, ends programs that are no virtual machines. */
  @Test
  void of_aProcessThatHandlesSignals_sendsNone() throws IOException {
    assumeTrue(Files.exists(Path.of("/proc/self/maps")), "needs Linux (/proc/self/maps)");
    Process process =
        new ProcessBuilder("sh", "-c", "trap 'echo signal' QUIT; echo ready; read line; echo end")
            .start();
    try (BufferedReader output =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      assertThat(output.readLine()).isEqualTo("ready");
      assertThat(AttachedVm.of(process.pid(), new ProcessStatus("NSpid:\t" + process.pid())))
          .isEmpty();
      process.getOutputStream().write('\n');
      process.getOutputStream().flush();
      assertThat(output.readLine()).isEqualTo("end");
    } finally {
      process.destroy();
    }
  }
}
