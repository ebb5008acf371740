package dev.stowage.trace.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.plan.MalformedFileException;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import jdk.jfr.Event;
import jdk.jfr.Name;
import jdk.jfr.Recording;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Recordings of Netty's events as traces. */
final class NettyRecordingTest {

  @Name("io.netty.AllocateBuffer")
  static final class AllocateBuffer extends Event {
    int size;
    boolean direct;
    boolean chunkThreadLocal;
    long address;
    Class<?> allocatorType = NettyRecordingTest.class;
  }

  @Name("io.netty.FreeBuffer")
  static final class FreeBuffer extends Event {
    int size;
    boolean direct = true;
    long address;
    Class<?> allocatorType = NettyRecordingTest.class;
  }

  @Name("io.netty.ReallocateBuffer")
  static final class ReallocateBuffer extends Event {
    int size;
    boolean direct = true;
    long address;
    Class<?> allocatorType = NettyRecordingTest.class;
  }

  @Name("io.netty.AllocateChunk")
  static final class AllocateChunk extends Event {
    int capacity;
    boolean direct = true;
    boolean threadLocal;
    long address;
    Class<?> allocatorType = NettyRecordingTest.class;
  }

  @TempDir private Path folder;

  private final List<AllocationEvent> events = new ArrayList<>();
  private final List<RecordedProgram> programs = new ArrayList<>();

  private static void allocate(long address, int bytes, boolean isDirect) {
    AllocateBuffer event = new AllocateBuffer();
    event.address = address;
    event.size = bytes;
    event.direct = isDirect;
    event.commit();
  }

  private static void free(long address, int bytes) {
    FreeBuffer event = new FreeBuffer();
    event.address = address;
    event.size = bytes;
    event.commit();
  }

  private Path recorded(Runnable program) throws Exception {
    Path file = folder.resolve("netty.jfr");
    try (Recording recording = new Recording()) {
      recording.enable(AllocateBuffer.class);
      recording.enable(FreeBuffer.class);
      recording.enable(ReallocateBuffer.class);
      recording.enable(AllocateChunk.class);
      recording.enable("jdk.ThreadEnd");
      recording.enable("jdk.InitialSystemProperty");
      recording.start();
      program.run();
      recording.stop();
      recording.dump(file);
    }
    return file;
  }

  private TraceSummary read(Path file) throws Exception {
    return TraceReader.read(
        "netty.jfr",
        file,
        TraceOptions.strict(),
        new EventConsumer() {
          @Override
          public void program(RecordedProgram program) {
            programs.add(program);
          }

          @Override
          public void accept(AllocationEvent event) {
            events.add(event);
          }
        });
  }

  private static void mixed() {
    AllocateChunk chunk = new AllocateChunk();
    chunk.capacity = 1 << 20;
    chunk.commit();
    allocate(1000, 700, true);
    allocate(0, 50, false);
    ReallocateBuffer growing = new ReallocateBuffer();
    growing.address = 1000;
    growing.size = 700;
    growing.commit();
    allocate(2000, 5000, true);
    allocate(3000, 0, true);
    free(3000, 0);
    free(2000, 5000);
    free(4000, 300);
  }

  @Test
  void read_kindsOfBuffers_hasTheDirectOnes() throws Exception {
    TraceSummary summary = read(recorded(NettyRecordingTest::mixed));

    assertThat(summary.format()).isEqualTo("netty");
    assertThat(summary.notes())
        .containsExactly(
            "1 buffer is older than the recording, and is allocated at its start",
            "1 allocation of a heap buffer is left out, because it has no address");
    assertThat(summary.peakReservedBytes()).isEmpty();
    assertThat(operations())
        .containsExactly("a 0 300", "a 1 700", "a 2 5000", "f 1", "a 3 1", "f 3", "f 2", "f 0");
  }

  @Test
  void read_kindsOfBuffers_hasAScriptInTheOrderOfTheEvents() throws Exception {
    read(recorded(NettyRecordingTest::mixed));

    RecordedProgram program = programs.getFirst();
    assertThat(program.settings()).endsWith("-Dio.netty.allocator.type=adaptive");
    assertThat(program.chunkCount()).isEqualTo(1);
    assertThat(program.script().foreignShare()).isZero();
    // The older buffer has the number of its end.
    assertThat(operations(program.script()))
        .containsExactly(
            "ALLOCATE 3",
            "ALLOCATE 0",
            "GROW 1",
            "FREE 0",
            "ALLOCATE 2",
            "FREE 2",
            "FREE 1",
            "FREE 3");
  }

  @Test
  void read_endOfThread_isAnOperation() throws Exception {
    read(
        recorded(() -> {
          Thread thread = Thread.ofPlatform().start(() -> allocate(1000, 100, true));
          try {
            thread.join();
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
          free(1000, 100);
        }));

    // The virtual machine records the end at about the time at which join returns.
    assertThat(operations(programs.getFirst().script()))
        .containsExactlyInAnyOrder("ALLOCATE 0", "END 0", "FREE 0");
    assertThat(programs.getFirst().script().threadCount()).isEqualTo(2);
    assertThat(programs.getFirst().script().foreignShare()).isEqualTo(1);
  }

  @Test
  void read_noBufferEvents_namesTheEventsToEnable() throws Exception {
    Path file = recorded(() -> new AllocateChunk().commit());

    assertThatThrownBy(() -> read(file))
        .isInstanceOf(MalformedFileException.class)
        .hasMessageContaining(
            "has no io.netty.AllocateBuffer events of direct buffers, expected a recording that"
                + " enables io.netty.AllocateBuffer, io.netty.ReallocateBuffer, io.netty.FreeBuffer,"
                + " io.netty.AllocateChunk and io.netty.FreeChunk, or dev.stowage.Allocate and"
                + " dev.stowage.Free where Netty has no events");
  }

  @Test
  void read_damagedRecording_isAnErrorWithItsFile() throws Exception {
    byte[] bytes = Files.readAllBytes(recorded(NettyRecordingTest::mixed));
    Path cut = folder.resolve("cut.jfr");
    for (int length : new int[] {bytes.length - 1, bytes.length / 2, 100, 10}) {
      Files.write(cut, Arrays.copyOf(bytes, length));
      assertThatThrownBy(() -> TraceReader.read("cut.jfr", cut, TraceOptions.strict(), events::add))
          .isInstanceOf(MalformedFileException.class)
          .hasMessageStartingWith("cut.jfr: ");
    }
  }

  /** {@return the kinds and buffers of the operations of a script} */
  private static List<String> operations(NettyScript script) throws IOException {
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    script.writeTo(new DataOutputStream(written));
    IntBuffer numbers = ByteBuffer.wrap(written.toByteArray()).asIntBuffer();
    numbers.position(2 + numbers.get(0));
    List<String> operations = new ArrayList<>();
    while (numbers.hasRemaining()) {
      operations.add(NettyScript.KINDS.get(numbers.get() & 3) + " " + numbers.get());
      numbers.get();
    }
    return operations;
  }

  private List<String> operations() {
    return events.stream()
        .map(event ->
            switch (event) {
              case AllocationEvent.Allocate allocate ->
                  "a " + allocate.id() + " " + allocate.bytes();
              case AllocationEvent.Fail fail -> "x " + fail.request().bytes();
              case AllocationEvent.Free free -> "f " + free.id();
            })
        .toList();
  }
}
