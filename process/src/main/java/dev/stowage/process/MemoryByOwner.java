package dev.stowage.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The resident memory of a process on Linux, divided among its owners.
 *
 * <p>The parts add up to the resident bytes that the kernel reports at the same moment.
 */
public final class MemoryByOwner {

  /**
   * The mappings of a complete dump have at least this share of the resident bytes. The kernel
   * counts both at different times, so they differ a little.
   */
  private static final long LEAST_PERCENT = 90;

  private final long pid;
  private final String command;
  private final List<OwnedMemory> parts;
  private final Optional<CgroupMemory> cgroup;
  private final List<String> notes;
  private final List<MemoryFinding> findings;
  private final Optional<String> collector;
  private final OptionalLong mostHeapBytes;
  private final List<MallocArena> arenas;
  private final boolean hasEnded;

  /**
   * Divides the memory in a dump.
   *
   * @param dump the dump
   */
  public MemoryByOwner(ProcessDump dump) {
    this(dump, new DumpFigures(dump));
  }

  MemoryByOwner(ProcessDump dump, DumpFigures figures) {
    ProcessStatus status = figures.status;
    pid = status.pid();
    hasEnded = dump.hasEnded();
    command = status.command();
    parts = Attribution.parts(dump, figures);
    cgroup = figures.cgroup;
    List<String> sentences = new ArrayList<>(notes(dump, figures));
    if (residentBytes() < status.residentBytes() / 100 * LEAST_PERCENT) {
      sentences.add(
          "the dump is not complete: its mappings have "
              + residentBytes()
              + " of "
              + status.residentBytes()
              + " resident bytes; copy all of /proc/PID/smaps");
    }
    if (dump.isCollectionUnfinished()) {
      sentences.add(
          "the garbage collection did not end in time, so live objects are unknown; repeat the command");
    }
    notes = List.copyOf(sentences);
    findings = FindingRules.of(dump, figures, parts);
    collector = figures.flags.collector();
    mostHeapBytes = figures.flags.number("MaxHeapSize");
    arenas = figures.nativeHeap.map(NativeHeap::arenas).orElse(List.of());
  }

  /**
   * {@return the memory of a process}
   *
   * @param pid the number of the process
   * @throws NoSuchFileException if there is no such process
   * @throws IOException if its memory cannot be read, for example because it belongs to another
   *     user
   * @see ProcessDump#of
   */
  public static MemoryByOwner of(long pid) throws IOException {
    return new MemoryByOwner(ProcessDump.of(pid, AttachedVm.ANSWER_LIMIT));
  }

  /**
   * {@return the memory of this process}
   *
   * @throws IOException if the system is not Linux
   */
  public static MemoryByOwner ofSelf() throws IOException {
    return new MemoryByOwner(ProcessDump.ofSelf());
  }

  private static List<String> notes(ProcessDump dump, DumpFigures figures) {
    ProcessStatus status = figures.status;
    if (dump.isPasted()) {
      return List.of(); // the command itself names the missing texts
    }
    if (status.hasEnded()) {
      return List.of("the process has ended, and its parent has not read its exit status");
    }
    if (status.isStopped()) {
      return List.of(
          "the process is stopped, so all figures are from the kernel; resume it with kill -CONT "
              + status.pid());
    }
    if (!dump.hasVm()) {
      return List.of(
          dump.isUnanswered()
              ? "the virtual machine does not answer, so all figures are from the kernel;"
                  + " -XX:+DisableAttachMechanism may be set"
              : "the process is not a Java virtual machine, so all figures are from the kernel");
    }
    if (dump.section(ProcessDump.MAP).contains(ProcessDump.UNTRACKED)) {
      return List.of(
          "Native Memory Tracking is off, so that some owners are derived from the shape of"
              + " mappings; -XX:NativeMemoryTracking=summary turns it on");
    }
    return figures.ranges.hasUses()
        ? List.of()
        : List.of(
            "this version of the virtual machine has no list of its mappings, so that more memory"
                + " is not attributed; JDK 24 or newer has it");
  }

  /** {@return the name of the program} */
  public String command() {
    return command;
  }

  /** {@return the memory of the control group of the process; empty if it is not known} */
  public Optional<CgroupMemory> cgroup() {
    return cgroup;
  }

  /** {@return true if the process is known to have ended} */
  public boolean hasEnded() {
    return hasEnded;
  }

  /** {@return the number of the process} */
  public long pid() {
    return pid;
  }

  /** {@return the parts with resident bytes, the largest first} */
  public List<OwnedMemory> parts() {
    return parts;
  }

  /**
   * {@return the resident bytes of this process; empty if they are not known; takes some ten
   * microseconds}
   */
  public static OptionalLong ownResidentBytes() {
    try {
      long bytes =
          new ProcessStatus(Files.readString(Path.of("/proc/self/status"))).residentBytes();
      return bytes == 0 ? OptionalLong.empty() : OptionalLong.of(bytes);
    } catch (IOException otherSystem) {
      return OptionalLong.empty();
    }
  }

  /** {@return the resident bytes, the sum of the parts} */
  public long residentBytes() {
    return parts.stream().mapToLong(OwnedMemory::bytes).sum();
  }

  /** {@return sentences on information that the process lacks} */
  public List<String> notes() {
    return notes;
  }

  /**
   * {@return the findings on unnecessary memory and on much memory of unknown purpose; known causes
   * of a tenth of the memory first, then by descending bytes}
   */
  public List<MemoryFinding> findings() {
    return findings;
  }

  /** {@return the name of the garbage collector, such as G1; empty if it is not known} */
  public Optional<String> collector() {
    return collector;
  }

  /** {@return the most bytes of the Java heap, its {@code -Xmx}; empty if it is not known} */
  public OptionalLong mostHeapBytes() {
    return mostHeapBytes;
  }

  /** {@return the arenas of the C library, by number; none if they are not known} */
  public List<MallocArena> arenas() {
    return arenas;
  }
}
