package dev.stowage.core.trace;

import dev.stowage.core.bfc.Allocation;
import dev.stowage.core.bfc.AllocationListener;
import java.io.BufferedWriter;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.zip.GZIPOutputStream;

/**
 * Writes what an allocator does as a trace that {@link TraceReader} reads:
 *
 * {@snippet :
 * try (TraceRecorder recorder = TraceRecorder.create(Path.of("run.csv.gz"));
 *     BfcAllocator allocator = new BfcAllocator("gpu", device, options, recorder)) {
 *   // ...
 * }
 * }
 *
 * <p>Replayed with the same options, the requests go to the same regions and offsets, as long as
 * nothing was asked for that a trace does not hold: an alignment above 256, a trim, a region that
 * the device refused. A request that failed is an allocation that is freed at once.
 *
 * <p>Times are microseconds since the recorder was made. Where a file cannot be written any more,
 * recording ends, the allocator goes on, and {@link #close()} tells.
 */
public final class TraceRecorder implements AllocationListener, Closeable {

  private static final String HEADER = "op,id,bytes,stream,t\n";

  private final Writer out;
  private final LongSupplier micros;
  private long failures;
  private Optional<IOException> broken = Optional.empty();

  /** Takes the writer, which {@link #close()} closes. */
  TraceRecorder(Writer out, LongSupplier micros) {
    this.out = out;
    this.micros = micros;
    write(HEADER);
  }

  /**
   * {@return a recorder to a file}
   *
   * @param file where to write; compressed if its name ends in {@code .gz}
   * @throws IOException if it cannot be made
   */
  public static TraceRecorder create(Path file) throws IOException {
    OutputStream bytes = Files.newOutputStream(file);
    OutputStream packed =
        file.toString().endsWith(".gz") ? new GZIPOutputStream(bytes, 1 << 16) : bytes;
    long start = System.nanoTime();
    return new TraceRecorder(
        new BufferedWriter(new OutputStreamWriter(packed, StandardCharsets.UTF_8), 1 << 16),
        () -> (System.nanoTime() - start) / 1000);
  }

  @Override
  public synchronized void allocated(Allocation allocation) {
    write("a," + allocation.id() + "," + allocation.requestedBytes() + ",0," + now() + "\n");
  }

  @Override
  public synchronized void freed(long id) {
    write("f," + id + ",,0," + now() + "\n");
  }

  @Override
  public synchronized void failed(long bytes) {
    String id = "failed-" + ++failures;
    long time = now();
    write("a," + id + "," + bytes + ",0," + time + "\nf," + id + ",,0," + time + "\n");
  }

  private long now() {
    return micros.getAsLong();
  }

  private void write(String lines) {
    if (broken.isEmpty()) {
      try {
        out.write(lines);
      } catch (IOException e) {
        broken = Optional.of(e);
      }
    }
  }

  /**
   * Ends the recording.
   *
   * @throws IOException if the trace could not be written as a whole
   */
  @Override
  public synchronized void close() throws IOException {
    try (out) {
      if (broken.isPresent()) {
        throw new IOException("the trace ends early: " + broken.get().getMessage(), broken.get());
      }
    }
  }
}
