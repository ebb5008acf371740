package dev.stowage.trace.format;

import dev.stowage.plan.MalformedFileException;
import dev.stowage.trace.pytorch.MemorySnapshot;
import dev.stowage.trace.pytorch.SnapshotReader;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.util.zip.ZipException;

/** The pickle of a {@link PytorchSnapshot}. */
final class SnapshotFormat implements TraceFormat {

  /** The first byte of a pickle from protocol 2. */
  private static final char PICKLE = 0x80;

  @Override
  public String name() {
    return TraceSummary.PYTORCH;
  }

  @Override
  public String description() {
    return "PyTorch (.pickle)";
  }

  @Override
  public boolean matches(String head) {
    return head.charAt(0) == PICKLE;
  }

  @Override
  public TraceSummary read(TraceContent content, CheckedEvents events) throws IOException {
    return PytorchSnapshot.pass(content, snapshot(content), events);
  }

  private static MemorySnapshot snapshot(TraceContent content) throws IOException {
    if (!content.isPacked() && Files.isRegularFile(content.file())) {
      // A file can be read twice, which takes less memory.
      return SnapshotReader.read(content.source(), content.file());
    }
    try {
      return SnapshotReader.read(content.source(), content.bytes());
    } catch (EOFException | ZipException e) {
      throw new MalformedFileException(content.source(), content.damageMessage());
    }
  }
}
