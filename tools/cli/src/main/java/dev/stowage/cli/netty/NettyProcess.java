package dev.stowage.cli.netty;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicInteger;
import jdk.jfr.Recording;
import jdk.jfr.consumer.EventStream;
import jdk.jfr.consumer.RecordedEvent;

/**
 * A process that replays the buffers of a recording in the Netty on its class path.
 *
 * <p>The arguments are the file of the operations, the file for their results, and one for a
 * recording. It prints a line for each chunk, and at the end the bytes of all chunks by Netty's own
 * metric.
 */
public final class NettyProcess {

  /** The exit code if the command ended first. */
  private static final int ORPHANED = 1;

  private NettyProcess() {}

  /** Replays the operations. */
  public static void main(String[] args) {
    PrintStream out = new PrintStream(System.out, false);
    haltAtEndOfInput();
    try {
      replay(Path.of(args[0]), Path.of(args[1]), Path.of(args[2]), out);
    } catch (Exception | Error e) {
      out.println("failure " + e);
    }
    out.flush();
    // Threads of the replay do not keep the process alive.
    System.exit(0);
  }

  private static void replay(Path script, Path results, Path recorded, PrintStream out)
      throws IOException, InterruptedException, ReflectiveOperationException {
    try (FileChannel in = FileChannel.open(script);
        FileChannel to =
            FileChannel.open(results, StandardOpenOption.READ, StandardOpenOption.WRITE);
        Recording recording = new Recording()) {
      ByteBuffer operations = in.map(MapMode.READ_ONLY, 0, in.size());
      int[] kinds = new int[operations.getInt()];
      int buffers = operations.getInt();
      for (int i = 0; i < kinds.length; i++) {
        kinds[i] = operations.getInt();
      }
      int count = operations.remaining() / (BufferReplay.NUMBERS * Integer.BYTES);
      BufferReplay replay =
          new BufferReplay(
              kinds,
              buffers,
              operations.asIntBuffer(),
              to.map(MapMode.READ_WRITE, 0, (long) BufferReplay.RESULTS * Long.BYTES * count)
                  .asLongBuffer());
      recording.enable("io.netty.AllocateChunk").withoutStackTrace();
      recording.enable("io.netty.FreeChunk").withoutStackTrace();
      recording.enable(StepEvent.class);
      recording.start();
      replay.run();
      recording.stop();
      recording.dump(recorded);
    }
    printChunks(recorded, out);
    if (ByteBufAllocator.DEFAULT instanceof ByteBufAllocatorMetricProvider provider) {
      out.println("used " + provider.metric().usedDirectMemory());
    }
  }

  private static void printChunks(Path recorded, PrintStream out) throws IOException {
    AtomicInteger step = new AtomicInteger();
    try (EventStream events = EventStream.openFile(recorded)) {
      events.setReuse(true);
      events.onEvent(StepEvent.NAME, event -> step.set(event.getInt("step")));
      events.onEvent("io.netty.AllocateChunk", event -> print("chunk", step.get(), event, out));
      events.onEvent("io.netty.FreeChunk", event -> print("gone", step.get(), event, out));
      events.start();
    }
  }

  private static void print(String word, int step, RecordedEvent event, PrintStream out) {
    if (event.getBoolean("direct")) {
      out.println(
          word + " " + step + " " + event.getLong("address") + " " + event.getInt("capacity"));
    }
  }

  /** Ends this process when the command ends, which closes the standard input. */
  private static void haltAtEndOfInput() {
    Thread.ofPlatform()
        .daemon()
        .name("stowage-command")
        .start(() -> {
          try {
            while (System.in.read() >= 0) {
              // The command writes nothing.
            }
          } catch (IOException e) {
            // The command has ended.
          }
          Runtime.getRuntime().halt(ORPHANED);
        });
  }
}
