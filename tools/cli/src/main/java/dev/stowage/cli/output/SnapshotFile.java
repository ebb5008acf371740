package dev.stowage.cli.output;

import dev.stowage.cli.replay.ReplayReport;
import dev.stowage.trace.export.SnapshotExport;
import dev.stowage.trace.format.EventConsumer;
import dev.stowage.trace.replay.TraceReplay;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;

/** A replay as a memory snapshot of PyTorch. The history is written during the replay. */
public final class SnapshotFile implements ReplayFile {

  private final WholeFile file;
  private final OptionalLong limitBytes;
  private Optional<WholeFile.Part> part = Optional.empty();
  private Optional<SnapshotExport> export = Optional.empty();
  private Optional<IOException> broken = Optional.empty();

  /**
   * Creates a file that is not begun.
   *
   * @param limitBytes the memory of the device; empty for any amount
   */
  public SnapshotFile(String path, OptionalLong limitBytes) {
    file = new WholeFile(path);
    this.limitBytes = limitBytes;
  }

  @Override
  public String path() {
    return file.path();
  }

  /** Starts the file. If this fails, the replay continues, and {@link #write} throws. */
  @Override
  public Optional<EventConsumer> start(TraceReplay replay) {
    try {
      close(); // the part of a replay before, if there was one
      WholeFile.Part begun = file.begin();
      part = Optional.of(begun);
      SnapshotExport started = new SnapshotExport(replay, limitBytes, begun.path());
      export = Optional.of(started);
      return Optional.of(started);
    } catch (IOException e) {
      broken = Optional.of(e);
      return Optional.empty();
    }
  }

  /** Ends the file of the replay that was started last. */
  @Override
  public boolean write(ReplayReport report, WholeFile.Content page) throws IOException {
    if (broken.isPresent()) {
      throw broken.get();
    }
    try (SnapshotExport ended = export.orElseThrow()) {
      export = Optional.empty();
      ended.finish();
    }
    part.orElseThrow().complete();
    return true;
  }

  /** Deletes the file unless it is complete. */
  @Override
  public void close() throws IOException {
    if (export.isPresent()) {
      try {
        export.get().close();
      } catch (IOException e) {
        // The last bytes of a file that is deleted could not be written.
      }
    }
    if (part.isPresent()) {
      part.get().close();
    }
  }
}
