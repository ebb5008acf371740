package dev.stowage.cli.pasted;

import dev.stowage.process.NativeTracking;
import dev.stowage.process.ProcessDump;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The figures of pasted texts.
 *
 * @param resident the resident bytes; empty if no text has them
 * @param tracking the committed bytes by purpose
 * @param trackedPid the number of the process of {@code tracking}; 0 if the text does not have it
 * @param limitBytes the limit of the control group
 * @param cHeap the bytes of the C library; empty if no text has them
 * @param killed the process that the kernel has killed; empty if no text has it
 * @param pod the container; empty if no text has it
 * @param cause the reason that the virtual machine gives for its end; empty if no text has it
 * @param heapBytes the most bytes of the Java heap
 * @param group sentences on the control group and its processes; empty if no text has them
 * @param arenas arenas of the C library among the mappings of a text that is cut
 * @param dump the texts as a dump; empty if they do not have all mappings
 */
public record PastedMemory(
    Optional<Resident> resident,
    NativeTracking tracking,
    long trackedPid,
    OptionalLong limitBytes,
    Optional<CHeap> cHeap,
    Optional<Killed> killed,
    Optional<Container> pod,
    String cause,
    OptionalLong heapBytes,
    String group,
    Optional<Arenas> arenas,
    Optional<ProcessDump> dump) {

  /**
   * The resident bytes of a process.
   *
   * @param source the text, such as {@code smaps_rollup}
   * @param parts the bytes of each kind of page, which need not add up to all bytes
   * @param pid the number of the process; 0 if the text does not have it
   */
  public record Resident(String source, long bytes, Map<String, Long> parts, long pid) {}

  /**
   * The heap of the C library.
   *
   * @param outstandingBytes the bytes of requests
   * @param retainedBytes the free bytes that it keeps
   * @param isLeast true if both may be too small by a multiple of 4 GiB
   */
  public record CHeap(long outstandingBytes, long retainedBytes, boolean isLeast) {}

  /**
   * A process that the kernel has killed.
   *
   * @param name its name and its number
   * @param isOfGroup true if a control group was at its limit, false if the machine had no memory
   */
  public record Killed(String name, boolean isOfGroup) {}

  /**
   * A container of a pod.
   *
   * @param isInit true if it runs before the others
   * @param isKilled true if it was killed for a lack of memory
   */
  public record Container(String name, boolean isInit, boolean isKilled) {}

  /** Arenas of the C library. */
  public record Arenas(int count, long bytes) {}
}
