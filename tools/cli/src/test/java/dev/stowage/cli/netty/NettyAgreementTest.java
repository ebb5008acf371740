package dev.stowage.cli.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.trace.format.AllocationEvent;
import dev.stowage.trace.format.EventConsumer;
import dev.stowage.trace.format.RecordedProgram;
import dev.stowage.trace.format.TraceOptions;
import dev.stowage.trace.format.TraceReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import jdk.jfr.Event;
import jdk.jfr.Name;
import jdk.jfr.Recording;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class NettyAgreementTest {

  private static final NettyRun RUN =
      new NettyRun(
          "Netty 9 (recorded)",
          List.of(new NettyRun.Call(List.of(new NettyRun.Change(5000, 4096)), 5000, 0, 100)));

  @Name("io.netty.AllocateBuffer")
  @SuppressWarnings("UnusedVariable") // read from the recording
  private static final class AllocateBuffer extends Event {
    boolean direct = true;
    int size = 100;
    long address = 1000;
    Class<?> allocatorType = NettyAgreementTest.class;
  }

  @Name("io.netty.FreeBuffer")
  @SuppressWarnings("UnusedVariable") // read from the recording
  private static final class FreeBuffer extends Event {
    boolean direct = true;
    int size = 100;
    long address = 1000;
    Class<?> allocatorType = NettyAgreementTest.class;
  }

  /** {@return the agreement of {@link #RUN} with a program of six event loops} */
  static NettyAgreement agreement(OptionalLong recordedBytes) throws IOException {
    return agreement(recordedBytes, Optional.empty(), Path.of("examples/netty.jfr"));
  }

  private static NettyAgreement agreement(
      OptionalLong recordedBytes, Optional<String> version, Path recording) throws IOException {
    List<RecordedProgram> programs = new ArrayList<>();
    TraceReader.read(
        "netty.jfr",
        recording,
        TraceOptions.strict(),
        new EventConsumer() {
          @Override
          public void program(RecordedProgram program) {
            programs.add(program);
          }

          @Override
          public void accept(AllocationEvent event) {}
        });
    RecordedProgram program = programs.getFirst();
    return new NettyAgreement(
        new RecordedProgram(program.settings(), version, recordedBytes, 9, program.script()), RUN);
  }

  @Test
  void sentence_farFromTheRecording_namesLikelyReasons() throws IOException {
    NettyAgreement agreement = agreement(OptionalLong.of(8192));

    assertThat(agreement.isMissed()).isTrue();
    assertThat(agreement.sentence())
        .isEqualTo(
            "With the recorded settings, Netty 9 holds 4,096 bytes of chunks at the peak, 50.0 % less"
                + " than the recorded 8,192. Likely reasons: another version of Netty made the"
                + " recording (it has 9 chunks, the replay 1; --engine selects a version), or threads"
                + " competed for chunks, which a replay does not repeat.");
  }

  @Test
  void sentence_farFromVirtualThreadsOfTheSameVersion_namesThemAlone(@TempDir Path folder)
      throws Exception {
    Path file =
        recorded(
            folder,
            () -> {
              Thread.ofVirtual()
                  .start(() -> {
                    new AllocateBuffer().commit();
                    new FreeBuffer().commit();
                  })
                  .join();
            });

    assertThat(agreement(OptionalLong.of(8192), Optional.of("9.Final"), file).sentence())
        .endsWith(
            "50.0 % less than the recorded 8,192. The likely reason: virtual threads competed for"
                + " chunks, which a replay does not repeat.");
    assertThat(agreement(OptionalLong.of(8192), Optional.of("8.Final"), file).sentence())
        .contains(" Likely reasons: another version of Netty made the recording (");
  }

  /** {@return the recording of some events} */
  private static Path recorded(Path folder, ThrowingRunnable events) throws Exception {
    Path file = folder.resolve("netty.jfr");
    try (Recording recording = new Recording()) {
      recording.start();
      events.run();
      recording.stop();
      recording.dump(file);
    }
    return file;
  }

  /** Commits events. */
  private interface ThrowingRunnable {
    void run() throws Exception;
  }

  @Test
  void sentence_nearTheRecording_hasTheDifference() throws IOException {
    NettyAgreement agreement = agreement(OptionalLong.of(4000));

    assertThat(agreement.isMissed()).isFalse();
    assertThat(agreement.sentence())
        .isEqualTo(
            "With the recorded settings, Netty 9 holds 4,096 bytes of chunks at the peak, 2.4 % more"
                + " than the recorded 4,000; other settings are as uncertain.");
    assertThat(agreement(OptionalLong.of(4096)).sentence())
        .isEqualTo(
            "With the recorded settings, Netty 9 holds 4,096 bytes of chunks at the peak, as"
                + " recorded.");
  }

  @Test
  void sentence_buffersThatOtherThreadsFree_saysThatTheirNumberVaries(@TempDir Path folder)
      throws Exception {
    Path file =
        recorded(
            folder,
            () -> {
              Thread.ofPlatform().start(() -> new AllocateBuffer().commit()).join();
              new FreeBuffer().commit();
            });
    NettyAgreement agreement = agreement(OptionalLong.of(4096), Optional.empty(), file);

    assertThat(agreement.isMissed()).isTrue();
    assertThat(agreement.sentence())
        .isEqualTo(
            "With the recorded settings, Netty 9 holds 4,096 bytes of chunks at the peak, as recorded."
                + " Other threads than the allocating ones free 100 % of the buffers, so that the number"
                + " of buffers at a time differs from run to run.");
  }

  @Test
  void sentence_noRecordedPeak_saysSo() throws IOException {
    assertThat(agreement(OptionalLong.empty()).sentence())
        .isEqualTo(
            "The recording does not have the chunks from the start of the program, so that no"
                + " recorded peak confirms the figures.");
  }
}
