package dev.stowage.cli.pasted;

import dev.stowage.cli.pasted.PastedMemory.Arenas;
import dev.stowage.cli.pasted.PastedMemory.CHeap;
import dev.stowage.cli.pasted.PastedMemory.Container;
import dev.stowage.cli.pasted.PastedMemory.Killed;
import dev.stowage.cli.pasted.PastedMemory.Resident;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Conclusion;
import dev.stowage.pages.text.Numbers;
import dev.stowage.process.MemoryByOwner;
import dev.stowage.process.NativeTracking.Purpose;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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
    owners.ifPresentOrElse(found -> verdict.sentences.add(found.sentence()), verdict::addResident);
    if (!pasted.group().isEmpty()) {
      verdict.sentences.add(pasted.group().strip());
    }
    verdict.addCHeap();
    verdict.addTracked(memory.isPresent());
    pasted.arenas().ifPresent(verdict::add);
    verdict.addLimit(memory.isPresent());
    return new Conclusion(
        pasted.resident().map(resident -> ByteUnit.human(resident.bytes())).orElse("unknown"),
        String.join(" ", verdict.sentences),
        "The texts can be of different moments, and committed memory need not be resident.",
        owners
            .filter(_ -> memory.filter(found -> !found.findings().isEmpty()).isPresent())
            .flatMap(Conclusion::command)
            .or(() -> missing(pasted).stream().findFirst().map(Missing::command)));
  }

  private void addKill() {
    if (pasted.killed().isPresent()) {
      Killed killed = pasted.killed().get();
      String victim = killed.name().isEmpty() ? "a process" : killed.name();
      sentences.add(
          killed.isOfGroup()
              ? "Linux killed " + victim + " because its control group had reached its limit."
              : "Linux killed " + victim + " because the machine had no free memory.");
    }
    if (pasted.pod().isPresent()) {
      Container container = pasted.pod().get();
      sentences.add(
          "The "
              + (container.isInit() ? "init container " : "container ")
              + container.name()
              + (container.isKilled()
                  ? " was killed for a lack of memory."
                  : " was not killed for a lack of memory."));
    }
    if (!pasted.cause().isEmpty()) {
      sentences.add(
          "The virtual machine ended itself: "
              + pasted.cause()
              + (pasted.heapBytes().isPresent() && pasted.cause().equals("Java heap space")
                  ? ", of which the most is " + ByteUnit.human(pasted.heapBytes().getAsLong())
                  : "")
              + ".");
    }
  }

  private void addResident() {
    if (pasted.resident().isEmpty()) {
      return;
    }
    Resident resident = pasted.resident().get();
    Optional<Map.Entry<String, Long>> largest =
        resident.parts().entrySet().stream().max(Map.Entry.comparingByValue());
    sentences.add(
        ByteUnit.sentence(resident.bytes())
            + " are resident"
            + largest
                .map(part ->
                    ", of which "
                        + ByteUnit.human(part.getValue())
                        + (part.getKey().equals("anonymous")
                            ? " are anonymous memory"
                            : part.getKey().equals("files") ? " are files" : " are shared"))
                .orElse("")
            + ".");
  }

  private void addCHeap() {
    if (pasted.cHeap().isEmpty()) {
      return;
    }
    CHeap heap = pasted.cHeap().get();
    long all =
        pasted
            .resident()
            .map(Resident::bytes)
            .orElse(heap.outstandingBytes() + heap.retainedBytes());
    if (heap.retainedBytes() >= LEAST_SHARE * all) {
      sentences.add(
          "The C library keeps "
              + (heap.isLeast() ? "at least " : "up to ")
              + ByteUnit.sentence(heap.retainedBytes())
              + " of free memory, and "
              + ByteUnit.human(heap.outstandingBytes())
              + " are in use; a trim returns the free pages (jcmd "
              + pid(pasted)
              + " System.trim_native_heap, or -XX:TrimNativeHeapInterval=60000 at the next start).");
    }
  }

  private void addTracked(boolean hasOwners) {
    Purpose total = pasted.tracking().total();
    List<Purpose> purposes = pasted.tracking().purposes();
    if (!total.committed().isKnown()) {
      return;
    }
    long committed = total.committed().bytes();
    if (pasted.tracking().isDifference()) {
      addGrowth(total, purposes);
    }
    Optional<Purpose> largest =
        purposes.stream()
            .filter(purpose -> !purpose.hasStacks())
            .max(Comparator.comparingLong(purpose -> purpose.committed().bytes()));
    if (!hasOwners) {
      sentences.add(
          "Native Memory Tracking counts "
              + ByteUnit.sentence(committed)
              + " as committed"
              + largest
                  .map(purpose ->
                      ", the largest purpose is " + share(title(purpose), purpose, committed))
                  .orElse(
                      total.mallocBytes().isPresent()
                          ? ", of which requests to the C library have "
                              + ByteUnit.human(total.mallocBytes().getAsLong())
                              + " ("
                              + Numbers.percent(total.mallocBytes().getAsLong(), committed)
                              + ")"
                          : "")
              + ".");
    }
    if (purposes.stream().anyMatch(Purpose::hasStacks)) {
      sentences.add(
          "All addresses of stacks count as committed, which tells nothing on their memory.");
    }
    purposes.forEach(this::addFree);
    addDifference(committed);
  }

  private void addFree(Purpose purpose) {
    long committed = purpose.committed().bytes();
    if (purpose.freeBytes() >= LEAST_FREE_BYTES && purpose.freeBytes() > LEAST_SHARE * committed) {
      sentences.add(
          ByteUnit.human(purpose.freeBytes())
              + " of "
              + title(purpose)
              + " are free: unloaded classes left them.");
    }
  }

  private static String share(String title, Purpose purpose, long committed) {
    return title
        + " ("
        + ByteUnit.human(purpose.committed().bytes())
        + ", "
        + Numbers.percent(purpose.committed().bytes(), committed)
        + ")";
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
    boolean isCommitted =
        purposes.stream()
            .anyMatch(
                purpose -> purpose.committed().growthBytes() * 2 > total.committed().growthBytes());
    Optional<Purpose> grown =
        purposes.stream()
            .max(
                Comparator.comparingLong(purpose ->
                    isCommitted
                        ? purpose.committed().growthBytes()
                        : purpose.reserved().growthBytes()));
    sentences.add(
        "Since the baseline, committed memory grew by "
            + ByteUnit.sentence(total.committed().growthBytes())
            + grown
                .map(purpose ->
                    isCommitted
                        ? "; "
                            + title(purpose)
                            + " grew by "
                            + ByteUnit.human(purpose.committed().growthBytes())
                        : "; of the growth of reserved addresses, which are no memory, "
                            + title(purpose)
                            + " have "
                            + Numbers.percent(
                                purpose.reserved().growthBytes(), total.reserved().growthBytes()))
                .orElse("")
            + ".");
  }

  /** Compares texts of one process at one moment only: others have no common figures. */
  private void addDifference(long committed) {
    if (pasted.resident().isEmpty()) {
      return;
    }
    Resident resident = pasted.resident().get();
    long pid = pasted.trackedPid();
    if (resident.source().equals("kernel")) {
      sentences.add("The tracked bytes are of another moment than the kill.");
    } else if (pid != 0 && resident.pid() != 0 && pid != resident.pid()) {
      sentences.add(
          "The resident bytes are of process "
              + resident.pid()
              + " and the tracked bytes of process "
              + pid
              + ", so that they are not compared.");
    } else if (resident.bytes() > committed) {
      sentences.add(
          "Native Memory Tracking does not count at least "
              + ByteUnit.human(resident.bytes() - committed)
              + " of the resident bytes: files, libraries, native code or free memory of the C"
              + " library.");
    }
  }

  private void add(Arenas arenas) {
    sentences.add(
        arenas.count()
            + " of the mappings have the shape of arenas of the C library, with "
            + ByteUnit.sentence(arenas.bytes())
            + " in them; MALLOC_ARENA_MAX=2 in the environment makes fewer.");
  }

  private void addLimit(boolean hasOwners) {
    if (pasted.limitBytes().isEmpty()) {
      return;
    }
    long limit = pasted.limitBytes().getAsLong();
    long used = pasted.resident().map(Resident::bytes).orElse(0L);
    sentences.add(
        "The limit is "
            + ByteUnit.sentence(limit)
            + (used == 0
                ? ""
                : ", and the resident bytes are " + Numbers.percent(used, limit) + " of it")
            + (used > 0 && used < SMALL_SHARE * limit
                ? ", so that memory is no problem now."
                : "."));
    if (pasted.heapBytes().isPresent() && used > 0 && !hasOwners) {
      long heap = pasted.heapBytes().getAsLong();
      sentences.add(
          "The heap may grow to "
              + ByteUnit.human(heap)
              + ", which leaves "
              + ByteUnit.human(Math.max(0, limit - heap))
              + " for the rest of the process.");
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
    if (pasted.resident().isEmpty() && pasted.dump().isEmpty()) {
      missing.add(new Missing("the resident bytes", "cat /proc/" + pid + "/smaps"));
    } else if (pasted.dump().isEmpty()) {
      missing.add(new Missing("the owners of the resident bytes", "cat /proc/" + pid + "/smaps"));
    }
    long committed = pasted.tracking().total().committed().bytes();
    if (!pasted.tracking().total().committed().isKnown()) {
      missing.add(
          new Missing(
              "the purposes of the virtual machine",
              "jcmd "
                  + pid
                  + " VM.native_memory, after a start with -XX:NativeMemoryTracking=summary"));
    } else if (listedBytes(pasted) < committed / 100 * 99) {
      missing.add(
          new Missing(
              ByteUnit.human(committed - listedBytes(pasted))
                  + " of committed memory, as its text is cut",
              "jcmd " + pid + " VM.native_memory summary"));
    }
    if (pasted.cHeap().isEmpty()) {
      missing.add(
          new Missing("the free bytes that the C library keeps", "jcmd " + pid + " VM.info"));
    }
    return missing;
  }

  private static long listedBytes(PastedMemory pasted) {
    return pasted.tracking().purposes().stream()
        .mapToLong(purpose -> purpose.committed().bytes())
        .sum();
  }

  private static String pid(PastedMemory pasted) {
    long pid =
        pasted.resident().map(Resident::pid).filter(known -> known > 0).orElse(pasted.trackedPid());
    return pid == 0 || pasted.killed().isPresent() ? "PID" : Long.toString(pid);
  }
}
