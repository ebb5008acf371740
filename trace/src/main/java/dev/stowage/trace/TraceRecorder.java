package dev.stowage.trace;

import dev.stowage.allocator.Allocation;
import dev.stowage.allocator.AllocationListener;
import java.io.BufferedWriter;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.zip.GZIPOutputStream;

/**
 * A listener that writes the operations of an allocator as a trace for the command {@code stowage
 * replay}:
 *
 * {@snippet :
 * try (TraceRecorder recorder = TraceRecorder.create(Path.of("run.csv.gz"));
 *     BfcAllocator allocator = new BfcAllocator("gpu", device, options, recorder)) {
 *   // ...
 * }
 * }
 *
 * <p>A replay with the same options places each request in the same region at the same offset. It
 * may differ if the run had alignments above 256, trims, or regions that the device refused: a
 * trace does not contain them. If streams reuse memory, requests come from the high end of a
 * region, or the allocator has a front cache, the trace says so, and its replay is an estimate.
 *
 * <p>Times are microseconds since the recorder was created. If the file cannot be written,
 * recording ends and the allocator continues; {@link #close()} throws the exception.
 */
public final class TraceRecorder implements AllocationListener, Closeable {

  private static final String HEADER = "op,id,bytes,stream,t\n";

  private final Writer out;
  private final LongSupplier micros;
  private final Set<String> causes = new HashSet<>();
  private long failures;
  private Optional<IOException> broken = Optional.empty();

  /** Creates a recorder that writes to a writer and closes it in {@link #close()}. */
  TraceRecorder(Writer out, LongSupplier micros) {
    this.out = out;
    this.micros = micros;
    write(HEADER);
  }

  /**
   * {@return a recorder that writes to a file}
   *
   * @param file the file; it is compressed if its name ends in {@code .gz}
   * @throws IOException if the file cannot be created
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
    write("x,failed-" + ++failures + "," + bytes + ",0," + now() + "\n");
  }

  @Override
  public synchronized void unrepeatable(String cause) {
    if (causes.add(cause)) {
      write("n," + cause + ",,0," + now() + "\n");
    }
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
   * @throws IOException if a part of the trace could not be written
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
