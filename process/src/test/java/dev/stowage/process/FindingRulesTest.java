package dev.stowage.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Rules on dumps of small size; {@link RemedyTest} has those on processes. */
class FindingRulesTest {

  private static final long MIB = 1L << 20;

  private static List<MemoryFinding> findings(Map<String, String> sections, OwnedMemory... parts) {
    ProcessDump dump = new ProcessDump(sections);
    return FindingRules.of(dump, new DumpFigures(dump), List.of(parts));
  }

  private static OwnedMemory part(MemoryOwner owner, long mebibytes) {
    return new OwnedMemory(owner, mebibytes * MIB, false, List.of());
  }

  private static Map<String, String> limited(long heapMebibytes, long limitMebibytes) {
    return Map.of(
        ProcessDump.FLAGS,
        "-XX:CICompilerCount=2 -XX:MaxHeapSize=" + heapMebibytes * MIB + " -XX:+UseG1GC",
        "memory.current",
        "1000\n",
        "memory.max",
        limitMebibytes * MIB + "\n");
  }

  @Test
  void of_aHeapThatFitsIntoTheContainer_findsNothing() {
    assertThat(
            findings(
                limited(600, 1024),
                part(MemoryOwner.JAVA_HEAP, 300),
                part(MemoryOwner.C_HEAP, 400)))
        .isEmpty();
  }

  /** Of 1,024 MiB, 500 MiB are for 400 MiB outside of the heap and their reserve. */
  @Test
  void of_aHeapThatMayExceedTheContainer_findsTheShareForIt() {
    assertThat(
            findings(
                limited(768, 1024),
                part(MemoryOwner.JAVA_HEAP, 300),
                part(MemoryOwner.C_HEAP, 400)))
        .containsExactly(
            new MemoryFinding(
                MemoryOwner.JAVA_HEAP,
                "The heap may grow to 768 MiB. With 400 MiB outside of it, that is 144 MiB more"
                    + " than the limit of the container (1,024 MiB).",
                144 * MIB,
                List.of(
                    new MemoryFinding.Remedy("-XX:MaxRAMPercentage=51", "without -Xmx", true))));
  }

  @Test
  void of_aContainerWithoutRoomForAHeap_findsALargerLimit() {
    assertThat(
            findings(
                limited(100, 400), part(MemoryOwner.JAVA_HEAP, 10), part(MemoryOwner.C_HEAP, 390)))
        .flatExtracting(MemoryFinding::remedies)
        .containsExactly(new MemoryFinding.Remedy("a limit of 520 MiB", "for the container", true));
  }

  @Test
  void of_freeMemoryOfAnAllocator_findsItsTrim() {
    assertThat(
            findings(
                Map.of(
                    ProcessDump.BEANS,
                    "0 0 direct buffers\n209715200 104857600 allocator my requests\n"),
                part(MemoryOwner.STOWAGE, 200)))
        .containsExactly(
            new MemoryFinding(
                MemoryOwner.STOWAGE,
                "The allocator 'my requests' holds 100 MiB that are not in use.",
                100 * MIB,
                List.of(
                    new MemoryFinding.Remedy(
                        "trim()", "of the allocator, or its operation by JMX", false))));
  }

  /** The virtual machine would not make a heap of 20 % of 300 MiB. */
  @Test
  void of_aSmallContainer_findsASizeInsteadOfAShare() {
    assertThat(
            findings(
                limited(600, 300), part(MemoryOwner.JAVA_HEAP, 10), part(MemoryOwner.C_HEAP, 190)))
        .flatExtracting(MemoryFinding::remedies)
        .containsExactly(new MemoryFinding.Remedy("-Xmx62m", "", true));
  }
}
