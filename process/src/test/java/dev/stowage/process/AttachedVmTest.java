package dev.stowage.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Processes that are no virtual machines, and virtual machines that do not answer. */
@Timeout(60)
class AttachedVmTest {

  private static final Duration LIMIT = Duration.ofMillis(500);

  /**
   * A process that maps the library of the virtual machine and owns its socket may do anything
   * there. The kernel knows its memory in any case.
   */
  @ParameterizedTest
  @ValueSource(strings = {"deaf", "mute", "slow"})
  void dump_aSocketThatDoesNotAnswer_isThatOfTheKernelAtTheLimit(String behaviour)
      throws IOException {
    assumeTrue(Files.exists(Path.of("/proc/self/smaps")), "needs Linux (/proc/self/smaps)");
    try (RunningCulprit culprit =
        RunningCulprit.start(behaviour, List.of("-XX:+DisableAttachMechanism"))) {
      ProcessDump dump = ProcessDump.of(culprit.pid(), LIMIT);

      assertThat(dump.isUnanswered()).isTrue();
      assertThat(new MemoryByOwner(dump).notes())
          .containsExactly(
              "the virtual machine does not answer, so all figures are from the kernel;"
                  + " -XX:+DisableAttachMechanism may be set");
      assertThat(ProcessDump.ofCollected(culprit.pid(), LIMIT).isUnanswered()).isTrue();
    }
  }

  /** The status is the one before the process was stopped, as if it stopped in the meantime. */
  @Test
  void call_aVirtualMachineThatIsStopped_failsAtTheLimit()
      throws IOException, InterruptedException {
    assumeTrue(Files.exists(Path.of("/proc/self/smaps")), "needs Linux (/proc/self/smaps)");
    try (RunningCulprit culprit = RunningCulprit.start("idle", List.of())) {
      ProcessStatus status =
          new ProcessStatus(ProcessDump.read(Path.of("/proc/" + culprit.pid() + "/status")));
      signal(culprit.pid(), "STOP");
      for (int i = 0; i < 2; i++) {
        assertThatThrownBy(() ->
                LimitedCall.answer(
                    LIMIT,
                    () -> AttachedVm.of(culprit.pid(), status).orElseThrow().output("VM.version")))
            .isInstanceOf(IOException.class)
            .hasMessage(
                "the virtual machine does not answer within 0.5 s: it is stopped, or in a long pause;"
                    + " repeat the command");
      }
      signal(culprit.pid(), "CONT");
      assertThat(NativeTrim.run(culprit.pid())).isTrue();
      // The virtual machine listens already when it stops.
      signal(culprit.pid(), "STOP");
      assertThatThrownBy(() ->
              LimitedCall.answer(
                  LIMIT,
                  () -> AttachedVm.of(culprit.pid(), status).orElseThrow().output("VM.version")))
          .isInstanceOf(IOException.class);
    }
  }

  /** A virtual machine that answers questions, but no longer when it collects. */
  @Test
  void dump_aCollectionThatDoesNotEnd_hasANote() throws IOException {
    assumeTrue(Files.exists(Path.of("/proc/self/smaps")), "needs Linux (/proc/self/smaps)");
    try (RunningCulprit culprit =
        RunningCulprit.start("busy", List.of("-XX:+DisableAttachMechanism"))) {
      ProcessDump dump = ProcessDump.ofCollected(culprit.pid(), LIMIT);

      assertThat(dump.hasVm()).isTrue();
      assertThat(new MemoryByOwner(dump).notes())
          .endsWith(
              "the garbage collection did not end in time, so live objects are unknown; repeat the command");
    }
  }

  private static void signal(long pid, String name) throws IOException, InterruptedException {
    String kill = "kill -" + name + " " + pid;
    assertThat(new ProcessBuilder("sh", "-c", kill).inheritIO().start().waitFor()).isZero();
  }

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
