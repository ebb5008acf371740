package dev.stowage.cli.budget;

import dev.stowage.process.MemoryByOwner;
import dev.stowage.process.MemoryOwner;
import dev.stowage.process.OwnedMemory;
import java.util.EnumSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The memory of the Java virtual machine of a running service.
 *
 * @param heapBytes the heap
 * @param metaspaceBytes the metadata of classes, with a quarter more, so that it can be a limit
 * @param codeBytes the compiled code, with a quarter more
 * @param otherBytes stacks, tables of the collector, shared classes and libraries
 */
public record JvmParts(long heapBytes, long metaspaceBytes, long codeBytes, long otherBytes) {

  /** {@return the parts in a dump of a process} */
  public static JvmParts of(MemoryByOwner memory) {
    return new JvmParts(
        bytes(memory, EnumSet.of(MemoryOwner.JAVA_HEAP)),
        more(bytes(memory, EnumSet.of(MemoryOwner.METASPACE, MemoryOwner.CLASS_SPACE))),
        more(bytes(memory, EnumSet.of(MemoryOwner.CODE_CACHE))),
        bytes(
            memory,
            EnumSet.of(
                MemoryOwner.SHARED_CLASSES,
                MemoryOwner.THREAD_STACKS,
                MemoryOwner.GC_STRUCTURES,
                MemoryOwner.OTHER_VM,
                MemoryOwner.LIBRARIES)));
  }

  private static long more(long bytes) {
    return bytes + bytes / 4;
  }

  private static long bytes(MemoryByOwner memory, Set<MemoryOwner> owners) {
    return memory.parts().stream()
        .filter(part -> owners.contains(part.owner()))
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
