package dev.stowage.trace;

import dev.stowage.allocator.Allocation;
import dev.stowage.allocator.RegionChunks;
import dev.stowage.trace.pytorch.SnapshotFrame;
import dev.stowage.trace.pytorch.SnapshotSegment;
import dev.stowage.trace.pytorch.SnapshotSettings;
import dev.stowage.trace.pytorch.SnapshotWriter;
import dev.stowage.trace.pytorch.StackTable;
import dev.stowage.trace.replay.RegionSegments;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;

/**
 * A memory snapshot of an allocator in use, in PyTorch's format: its regions with all chunks, free
 * ones included, without a history.
 *
 * {@snippet :
 * AllocatorSnapshot.write(Path.of("now.pickle"), allocator.chunks());
 * }
 *
 * <p>A chunk has these frames: the number of its slots in use, if a pool divides the chunk for
 * small allocations; the tag of its allocation, if there is one; and the stack of the caller, if
 * the allocator keeps stacks. PyTorch's viewer and {@code stowage replay} read the file.
 */
public final class AllocatorSnapshot {

  private AllocatorSnapshot() {}

  /**
   * Writes a snapshot. The file is written completely or not at all; an older file is replaced.
   *
   * @param file the file
   * @param regions the regions of an allocator, by ascending address
   * @throws IOException if the file cannot be written
   */
  public static void write(Path file, List<RegionChunks> regions) throws IOException {
    Path part = file.resolveSibling(".stowage-" + UUID.randomUUID() + ".part");
    try {
      try (SnapshotWriter writer =
          new SnapshotWriter(Files.newOutputStream(part, StandardOpenOption.CREATE_NEW))) {
        StackTable.Builder stacks = StackTable.builder();
        List<SnapshotSegment> segments =
            RegionSegments.of(regions, false, chunk -> stacks.add(frames(chunk)));
        writer.finish(segments, stacks.build(), SnapshotSettings.none());
      }
      Files.move(part, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(part);
    }
  }

  private static List<SnapshotFrame> frames(RegionChunks.Chunk chunk) {
    Allocation allocation = chunk.allocation().orElseThrow();
    List<SnapshotFrame> frames = new ArrayList<>();
    chunk.slots().ifPresent(slots -> frames.add(new SnapshotFrame(describe(slots), "", 0)));
    if (!allocation.tag().isEmpty()) {
      frames.add(new SnapshotFrame("tag " + allocation.tag(), "", 0));
    }
    for (StackTraceElement element : allocation.stack()) {
      frames.add(
          new SnapshotFrame(
              element.getClassName() + "." + element.getMethodName(),
              Optional.ofNullable(element.getFileName()).orElse(""),
              Math.max(0, element.getLineNumber())));
    }
    return frames;
  }

  private static String describe(RegionChunks.Slots slots) {
    return String.format(
        Locale.ROOT,
        "%d of %d slots of %d bytes in use",
        slots.inUse(),
        slots.count(),
        slots.slotBytes());
  }
}
