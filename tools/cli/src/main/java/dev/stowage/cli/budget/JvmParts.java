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

/**
 * The memory of the Java virtual machine of a running service.
 *
 * @param heapBytes the heap
 * @param metaspaceBytes the metadata of classes, with a quarter more, so that it can be a limit
 * @param codeBytes the compiled code, with a quarter more
 * @param otherBytes stacks, tables of the collector, shared classes and libraries
 */
public record JvmParts(long heapBytes, long metaspaceBytes, long codeBytes, long otherBytes) {

  /**
   * {@return the parts in a dump of a process}
   *
   * @throws IOException if the file cannot be read, or is no dump
   */
  public static JvmParts read(String path) throws IOException {
    MemoryByOwner memory;
    try {
      memory = new MemoryByOwner(ProcessDump.parse(Files.readString(Path.of(path), ISO_8859_1)));
    } catch (IllegalArgumentException e) {
      throw new IOException(path + ": " + e.getMessage(), e);
    }
    return new JvmParts(
        bytes(memory, MemoryOwner.JAVA_HEAP),
        more(bytes(memory, MemoryOwner.METASPACE, MemoryOwner.CLASS_SPACE)),
        more(bytes(memory, MemoryOwner.CODE_CACHE)),
        bytes(
            memory,
            MemoryOwner.SHARED_CLASSES,
            MemoryOwner.THREAD_STACKS,
            MemoryOwner.GC_STRUCTURES,
            MemoryOwner.OTHER_VM,
            MemoryOwner.LIBRARIES));
  }

  private static long more(long bytes) {
    return bytes + bytes / 4;
  }

  private static long bytes(MemoryByOwner memory, MemoryOwner... owners) {
    return memory.parts().stream()
        .filter(part -> List.of(owners).contains(part.owner()))
        .mapToLong(OwnedMemory::bytes)
        .sum();
  }

  /** {@return these parts with another heap, if it is given} */
  JvmParts withHeap(OptionalLong given) {
    return new JvmParts(given.orElse(heapBytes), metaspaceBytes, codeBytes, otherBytes);
  }

  /** {@return the bytes of all parts} */
  long bytes() {
    return heapBytes + metaspaceBytes + codeBytes + otherBytes;
  }

  /** {@return the parts with their names} */
  List<BudgetPart> parts() {
    return List.of(
        new BudgetPart(BudgetPart.HEAP, heapBytes),
        new BudgetPart(BudgetPart.METASPACE, metaspaceBytes),
        new BudgetPart(BudgetPart.CODE, codeBytes),
        new BudgetPart("other memory of the JVM", otherBytes));
  }
}
