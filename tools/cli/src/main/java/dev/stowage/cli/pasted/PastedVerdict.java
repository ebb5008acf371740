package dev.stowage.cli.pasted;

import dev.stowage.cli.pasted.PastedMemory.CHeap;
import dev.stowage.cli.pasted.PastedMemory.Container;
import dev.stowage.cli.pasted.PastedMemory.Killed;
import dev.stowage.cli.pasted.PastedMemory.Resident;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Conclusion;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Text;
import dev.stowage.process.MemoryByOwner;
import dev.stowage.process.NativeTracking.Purpose;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;

/** The culprit of pasted texts, and the texts that are missing for a full answer. */
public final class PastedVerdict {

  /** Less than this share is not the culprit. */
  private static final double LEAST_SHARE = 0.25;

  private static final long LEAST_FREE_BYTES = 16 << 20;

  /** Less than this share of a limit cannot be the reason of a failure. */
  private static final double SMALL_SHARE = 0.5;

  private final PastedMemory pasted;
  private final List<String> sentences = new ArrayList<>();

  private PastedVerdict(PastedMemory pasted) {
    this.pasted = pasted;
  }

  /**
   * A text that is missing.
   *
   * @param figure the figure that it has, as a noun phrase
   * @param command the command that prints it
   */
  public record Missing(String figure, String command) {}

  /**
   * {@return the conclusion for texts}
   *
   * @param memory the owners of the resident memory; empty if the texts do not have all mappings
   * @param owners the conclusion for these owners
   */
  public static Conclusion of(
      PastedMemory pasted, Optional<MemoryByOwner> memory, Optional<Conclusion> owners) {
    PastedVerdict verdict = new PastedVerdict(pasted);
    verdict.addKill();
    owners.ifPresentOrElse(
        found -> verdict.sentences.add(found.sentence()),
        () -> pasted.resident().ifPresent(verdict::add));
    if (!pasted.group().isEmpty()) {
      verdict.sentences.add(pasted.group().strip());
    }
    pasted.cHeap().ifPresent(verdict::add);
    verdict.addTracked(memory.isPresent());
    pasted
        .arenas()
        .ifPresent(arenas ->
            verdict.add(
                "%d of the mappings have the shape of arenas of the C library, with %s in them;"
                    + " MALLOC_ARENA_MAX=2 in the environment makes fewer.",
                arenas.count(), ByteUnit.sentence(arenas.bytes())));
    pasted.limitBytes().ifPresent(limit -> verdict.addLimit(limit, memory.isPresent()));
    return new Conclusion(
        pasted.resident().map(resident -> ByteUnit.human(resident.bytes())).orElse("unknown"),
        String.join(" ", verdict.sentences),
        "The texts can be of different moments, and committed memory need not be resident.",
        owners
            .filter(_ -> memory.filter(found -> !found.findings().isEmpty()).isPresent())
            .flatMap(Conclusion::command)
            .or(() -> missing(pasted).stream().findFirst().map(Missing::command)));
  }

  private void add(String format, Object... values) {
    sentences.add(Text.of(format, values));
  }

  private void addKill() {
    pasted
        .killed()
        .ifPresent(killed ->
            add(
                "Linux killed %s because %s.",
                killed.name().isEmpty() ? "a process" : killed.name(),
                killed.isOfGroup()
                    ? "its control group had reached its limit"
                    : "the machine had no free memory"));
    pasted
        .pod()
        .ifPresent(container ->
            add(
                "The %scontainer %s was %skilled for a lack of memory.",
                container.isInit() ? "init " : "",
                container.name(),
                container.isKilled() ? "" : "not "));
    if (!pasted.cause().isEmpty()) {
      boolean isOfHeap = pasted.heapBytes().isPresent() && pasted.cause().equals("Java heap space");
      add(
          "The virtual machine ended itself: %s%s.",
          pasted.cause(),
          isOfHeap
              ? ", of which the most is " + ByteUnit.human(pasted.heapBytes().orElseThrow())
              : "");
    }
  }

  private void add(Resident resident) {
    Optional<Map.Entry<String, Long>> largest =
        resident.parts().entrySet().stream().max(Map.Entry.comparingByValue());
    add(
        "%s are resident%s.",
        ByteUnit.sentence(resident.bytes()),
        largest
            .map(part ->
                Text.of(
                    ", of which %s are %s",
                    ByteUnit.human(part.getValue()),
                    switch (part.getKey()) {
                      case "anonymous" -> "anonymous memory";
                      case "files" -> "files";
                      default -> "shared";
                    }))
            .orElse(""));
  }

  private void add(CHeap heap) {
    long all =
        pasted
            .resident()
            .map(Resident::bytes)
            .orElse(heap.outstandingBytes() + heap.retainedBytes());
    if (heap.retainedBytes() >= LEAST_SHARE * all) {
      add(
          "The C library keeps %s %s of free memory, and %s are in use; a trim returns the free pages"
              + " (jcmd %s System.trim_native_heap, or -XX:TrimNativeHeapInterval=60000 at the next"
              + " start).",
          heap.isLeast() ? "at least" : "up to",
          ByteUnit.sentence(heap.retainedBytes()),
          ByteUnit.human(heap.outstandingBytes()),
          pid(pasted));
    }
  }

  private void addTracked(boolean hasOwners) {
    Purpose total = pasted.tracking().total();
    List<Purpose> purposes = pasted.tracking().purposes();
    if (!total.committed().isKnown()) {
      return;
    }
    if (pasted.tracking().isDifference()) {
      addGrowth(total, purposes);
    }
    if (!hasOwners) {
      add(
          "Native Memory Tracking counts %s as committed%s.",
          ByteUnit.sentence(total.committed().bytes()), largest(total, purposes));
    }
    if (purposes.stream().anyMatch(Purpose::hasStacks)) {
      add("All addresses of stacks count as committed, which tells nothing on their memory.");
    }
    for (Purpose purpose : purposes) {
      long free = purpose.freeBytes();
      if (free >= LEAST_FREE_BYTES && free > LEAST_SHARE * purpose.committed().bytes()) {
        add("%s of %s are free: unloaded classes left them.", ByteUnit.human(free), title(purpose));
      }
    }
    pasted.resident().ifPresent(resident -> addDifference(resident, total.committed().bytes()));
  }

  private static String largest(Purpose total, List<Purpose> purposes) {
    long committed = total.committed().bytes();
    Optional<Purpose> largest =
        purposes.stream()
            .filter(purpose -> !purpose.hasStacks())
            .max(Comparator.comparingLong(purpose -> purpose.committed().bytes()));
    if (largest.isPresent()) {
      long bytes = largest.get().committed().bytes();
      return Text.of(
          ", the largest purpose is %s (%s, %s)",
          title(largest.get()), ByteUnit.human(bytes), Numbers.percent(bytes, committed));
    }
    OptionalLong malloc = total.mallocBytes();
    return malloc.isEmpty()
        ? ""
        : Text.of(
            ", of which requests to the C library have %s (%s)",
            ByteUnit.human(malloc.getAsLong()), Numbers.percent(malloc.getAsLong(), committed));
  }

  /** {@return the name of a purpose in a sentence} */
  static String title(Purpose purpose) {
    return switch (purpose.name()) {
      case "Java Heap" -> "the Java heap";
      case "Other" -> "direct buffers and FFM arenas (Other)";
      case "Thread" -> "thread stacks (Thread)";
      case "Class" -> "class data (Class)";
      case "Code" -> "compiled code (Code)";
      case "Metaspace" -> "the metaspace";
      default -> "the purpose " + purpose.name();
    };
  }

  private void addGrowth(Purpose total, List<Purpose> purposes) {
    long growth = total.committed().growthBytes();
    boolean isCommitted =
        purposes.stream().anyMatch(purpose -> purpose.committed().growthBytes() * 2 > growth);
    ToLongFunction<Purpose> grown =
        purpose ->
            isCommitted ? purpose.committed().growthBytes() : purpose.reserved().growthBytes();
    add(
        "Since the baseline, committed memory grew by %s%s.",
        ByteUnit.sentence(growth),
        purposes.stream()
            .max(Comparator.comparingLong(grown))
            .map(purpose ->
                isCommitted
                    ? Text.of(
                        "; %s grew by %s",
                        title(purpose), ByteUnit.human(grown.applyAsLong(purpose)))
                    : Text.of(
                        "; of the growth of reserved addresses, which are no memory, %s have %s",
                        title(purpose),
                        Numbers.percent(
                            grown.applyAsLong(purpose), total.reserved().growthBytes())))
            .orElse(""));
  }

  /** Compares texts of one process at one moment only: others have no common figures. */
  private void addDifference(Resident resident, long committed) {
    long tracked = pasted.trackedPid();
    if (resident.source().equals("kernel")) {
      add("The tracked bytes are of another moment than the kill.");
    } else if (tracked != 0 && resident.pid() != 0 && tracked != resident.pid()) {
      add(
          "The resident bytes are of process %d and the tracked bytes of process %d, so that they are"
              + " not compared.",
          resident.pid(), tracked);
    } else if (resident.bytes() > committed) {
      add(
          "Native Memory Tracking does not count at least %s of the resident bytes: files, libraries,"
              + " native code or free memory of the C library.",
          ByteUnit.human(resident.bytes() - committed));
    }
  }

  private void addLimit(long limit, boolean hasOwners) {
    long used = pasted.resident().map(Resident::bytes).orElse(0L);
    add(
        "The limit is %s%s%s.",
        ByteUnit.sentence(limit),
        used == 0 ? "" : ", and the resident bytes are " + Numbers.percent(used, limit) + " of it",
        used > 0 && used < SMALL_SHARE * limit ? ", so that memory is no problem now" : "");
    if (pasted.heapBytes().isPresent() && used > 0 && !hasOwners) {
      long heap = pasted.heapBytes().getAsLong();
      add(
          "The heap may grow to %s, which leaves %s for the rest of the process.",
          ByteUnit.human(heap), ByteUnit.human(Math.max(0, limit - heap)));
    }
  }

  /** {@return the texts that are missing, the most important first} */
  public static List<Missing> missing(PastedMemory pasted) {
    List<Missing> missing = new ArrayList<>();
    String pid = pid(pasted);
    boolean isKill =
        pasted.killed().filter(Killed::isOfGroup).isPresent()
            || pasted.pod().filter(Container::isKilled).isPresent();
    if (isKill && pasted.limitBytes().isEmpty()) {
      missing.add(new Missing("the limit of the container", "kubectl describe pod POD"));
    }
    if (pasted.dump().isEmpty()) {
      missing.add(
          new Missing(
              pasted.resident().isEmpty()
                  ? "the resident bytes"
                  : "the owners of the resident bytes",
              "cat /proc/" + pid + "/smaps"));
    }
    long committed = pasted.tracking().total().committed().bytes();
    long listed =
        pasted.tracking().purposes().stream()
            .mapToLong(purpose -> purpose.committed().bytes())
            .sum();
    String tracking = "jcmd " + pid + " VM.native_memory";
    if (!pasted.tracking().total().committed().isKnown()) {
      missing.add(
          new Missing(
              "the purposes of the virtual machine (after a start with -XX:NativeMemoryTracking=summary)",
              tracking));
    } else if (listed < committed / 100 * 99) {
      missing.add(
          new Missing(
              ByteUnit.human(committed - listed) + " of committed memory, as its text is cut",
              tracking + " summary"));
    }
    if (pasted.cHeap().isEmpty()) {
      missing.add(
          new Missing("the free bytes that the C library keeps", "jcmd " + pid + " VM.info"));
    }
    return missing;
  }

  private static String pid(PastedMemory pasted) {
    long pid =
        pasted.resident().map(Resident::pid).filter(known -> known > 0).orElse(pasted.trackedPid());
    return pid == 0 || pasted.killed().isPresent() ? "PID" : Long.toString(pid);
  }
}
