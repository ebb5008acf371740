package dev.stowage.cli.budget;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.stowage.process.MemoryByOwner;
import dev.stowage.process.MemoryOwner;
import dev.stowage.process.OwnedMemory;
import dev.stowage.process.ProcessDump;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;

/** The memory of the Java virtual machine of a running service. */
public final class JvmParts {

  private JvmParts() {}

  /**
   * {@return the parts in a dump of a process}
   *
   * <p>The heap counts in full. Metaspace and compiled code get a quarter more, because these bytes
   * become their limits.
   *
   * @param heapBytes the heap to use instead of the largest heap in the dump, if any
   * @throws IOException if the file cannot be read, is no dump, or lacks the size of the heap
   */
  public static List<BudgetPart> read(String path, OptionalLong heapBytes) throws IOException {
    MemoryByOwner memory;
    try {
      memory = new MemoryByOwner(ProcessDump.parse(Files.readString(Path.of(path), ISO_8859_1)));
    } catch (IllegalArgumentException e) {
      throw new IOException(path + ": " + e.getMessage(), e);
    }
    OptionalLong heap = heapBytes.isPresent() ? heapBytes : memory.mostHeapBytes();
    if (heap.isEmpty()) {
      throw new IOException(
          path
              + ": lacks -XX:MaxHeapSize in its section VM.flags, because the virtual machine did not answer; repeat stowage who PID --gc --output, or add --jvm-heap");
    }
    long metaspace = bytes(memory, MemoryOwner.METASPACE, MemoryOwner.CLASS_SPACE);
    long code = bytes(memory, MemoryOwner.CODE_CACHE);
    return List.of(
        BudgetPart.heap(heap.getAsLong()),
        new BudgetPart("metaspace", metaspace + metaspace / 4, "-XX:MaxMetaspaceSize=%dm"),
        new BudgetPart("code cache", code + code / 4, "-XX:ReservedCodeCacheSize=%dm"),
        BudgetPart.of(
            "other memory of the JVM",
            requestBytes(memory)
                + bytes(
                    memory,
                    MemoryOwner.SHARED_CLASSES,
                    MemoryOwner.THREAD_STACKS,
                    MemoryOwner.GC_STRUCTURES,
                    MemoryOwner.OTHER_VM,
                    MemoryOwner.LIBRARIES)));
  }

  /** {@return the requests of the virtual machine to the C library; 0 without tracking} */
  private static long requestBytes(MemoryByOwner memory) {
    return memory.parts().stream()
        .flatMap(part -> part.details().stream())
        .filter(OwnedMemory.Detail::isOfVm)
        .mapToLong(OwnedMemory.Detail::bytes)
        .sum();
  }

  private static long bytes(MemoryByOwner memory, MemoryOwner... owners) {
    return memory.parts().stream()
        .filter(part -> List.of(owners).contains(part.owner()))
        .mapToLong(OwnedMemory::bytes)
        .sum();
  }
}
