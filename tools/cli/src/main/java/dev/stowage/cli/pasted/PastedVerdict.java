package dev.stowage.cli.pasted;

import dev.stowage.cli.pasted.PastedMemory.Resident;
import dev.stowage.cli.text.Template;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Conclusion;
import dev.stowage.pages.text.Numbers;
import dev.stowage.process.NativeTracking.Purpose;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The culprit of pasted texts, and the texts that are missing for a full answer. */
public final class PastedVerdict {

  /** Less than this share is not the culprit. */
  private static final double LEAST_SHARE = 0.25;

  private static final long LEAST_FREE_BYTES = 16 << 20;

  /** Less than this share of a limit cannot be the reason of a failure. */
  private static final double SMALL_SHARE = 0.5;

  private final PastedMemory pasted;
  private final Optional<Conclusion> owners;
  private final Map<String, Long> figures;
  private final Map<String, String> words;
  private final Optional<Resident> resident;

  /**
   * Creates the verdict.
   *
   * @param owners the conclusion for the owners of the resident memory; empty if the texts do not
   *     have all mappings
   */
  public PastedVerdict(PastedMemory pasted, Optional<Conclusion> owners) {
    this.pasted = pasted;
    this.owners = owners;
    figures = new HashMap<>(pasted.figures());
    words = new HashMap<>(pasted.words());
    resident = pasted.resident();
    owners.ifPresent(found -> words.put("owners", found.sentence()));
    pasted.dump().ifPresent(_ -> words.put("mappings", ""));
    addProcess();
    resident.ifPresent(this::add);
    addTracked();
  }

  /**
   * A text that is missing.
   *
   * @param figure the figure that it has, as a noun phrase
   * @param command the command that prints it
   */
  public record Missing(String figure, String command) {}

  /**
   * {@return the conclusion}
   *
   * @param hasFindings true if the owners have a finding, which has the next command
   */
  public Conclusion conclusion(boolean hasFindings) {
    return new Conclusion(
        resident.map(known -> ByteUnit.human(known.bytes())).orElse("unknown"),
        values("say").collect(Collectors.joining(" ")),
        "The texts can be of different moments, and committed memory need not be resident.",
        owners
            .filter(_ -> hasFindings)
            .flatMap(Conclusion::command)
            .or(() -> missing().stream().findFirst().map(Missing::command)));
  }

  /** {@return the texts that are missing, the most important first} */
  public List<Missing> missing() {
    return values("missing")
        .map(line -> line.split(": ", 2))
        .map(parts -> new Missing(parts[0], parts[1]))
        .toList();
  }

  /** {@return the values of the lines with a key that hold} */
  private Stream<String> values(String key) {
    return PastedReader.RULES.lines().stream()
        .filter(line -> line.key().equals(key) && line.holds(name -> value(name).isPresent()))
        .map(line -> Template.fill(line.value(), this::value));
  }

  private Optional<String> value(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    if (words.containsKey(name)) {
      return Optional.of(words.get(name));
    }
    if (figures.containsKey(name)) {
      return Optional.of(ByteUnit.human(figures.get(name)));
    }
    return figures.containsKey(lower)
        ? Optional.of(ByteUnit.sentence(figures.get(lower)))
        : Optional.of(values(name).collect(Collectors.joining(", "))).filter(it -> !it.isEmpty());
  }

  private void addProcess() {
    long pid =
        resident.map(Resident::pid).filter(known -> known > 0).orElse(pasted.trackedProcess());
    words.put("pid", pid == 0 || words.containsKey("killed") ? "PID" : Long.toString(pid));
    if (words.getOrDefault("cause", "").equals("Java heap space")) {
      pasted.figure("mostHeap").ifPresent(bytes -> figures.put("full_heap", bytes));
    }
    long outstanding = figures.getOrDefault("outstanding", 0L);
    long retained = figures.getOrDefault("retained", 0L);
    long all = resident.map(Resident::bytes).orElse(outstanding + retained);
    if (figures.containsKey("retained") && retained >= LEAST_SHARE * all) {
      words.put("much_retained", "");
    }
  }

  private void add(Resident known) {
    long bytes = known.bytes();
    figures.put("resident", bytes);
    known.parts().entrySet().stream()
        .max(Map.Entry.comparingByValue())
        .ifPresent(part -> {
          figures.put("largest_part", part.getValue());
          words.put(
              "largest_kind",
              switch (part.getKey()) {
                case "anonymous" -> "anonymous memory";
                case "files" -> "files";
                default -> "shared";
              });
        });
    pasted
        .limitBytes()
        .ifPresent(limit -> {
          words.put("limit_share", Numbers.percent(bytes, limit));
          figures.put("rest", Math.max(0, limit - figures.getOrDefault("mostHeap", 0L)));
          if (bytes < SMALL_SHARE * limit) {
            words.put("little", "");
          }
        });
  }

  private void addTracked() {
    Purpose total = pasted.tracking().total();
    if (!total.committed().isKnown()) {
      return;
    }
    List<Purpose> purposes = pasted.tracking().purposes();
    long committed = total.committed().bytes();
    figures.put("committed", committed);
    if (pasted.tracking().isDifference()) {
      addGrowth(total, purposes);
    }
    addLargest(total, purposes);
    if (purposes.stream().anyMatch(Purpose::hasStacks)) {
      words.put("stacks", "");
    }
    purposes.stream()
        .filter(purpose -> purpose.freeBytes() >= LEAST_FREE_BYTES)
        .filter(purpose -> purpose.freeBytes() > LEAST_SHARE * purpose.committed().bytes())
        .max(Comparator.comparingLong(Purpose::freeBytes))
        .ifPresent(purpose -> {
          words.put("unloaded", title(purpose));
          figures.put("unloaded_bytes", purpose.freeBytes());
        });
    long listed = purposes.stream().mapToLong(purpose -> purpose.committed().bytes()).sum();
    if (listed < committed / 100 * 99) {
      figures.put("unlisted", committed - listed);
    }
    resident.ifPresent(known -> addDifference(known, committed));
  }

  private void addLargest(Purpose total, List<Purpose> purposes) {
    long committed = total.committed().bytes();
    purposes.stream()
        .filter(purpose -> !purpose.hasStacks())
        .max(Comparator.comparingLong(purpose -> purpose.committed().bytes()))
        .ifPresentOrElse(
            largest -> {
              long bytes = largest.committed().bytes();
              words.put("purpose", title(largest));
              figures.put("purpose_bytes", bytes);
              words.put("purpose_share", Numbers.percent(bytes, committed));
            },
            () ->
                total
                    .mallocBytes()
                    .ifPresent(bytes -> {
                      figures.put("malloc", bytes);
                      words.put("malloc_share", Numbers.percent(bytes, committed));
                    }));
  }

  private void addGrowth(Purpose total, List<Purpose> purposes) {
    long growth = total.committed().growthBytes();
    figures.put("growth", growth);
    purposes.stream()
        .max(Comparator.comparingLong(purpose -> purpose.committed().growthBytes()))
        .filter(purpose -> purpose.committed().growthBytes() * 2 > growth)
        .ifPresent(purpose -> {
          words.put("grown", title(purpose));
          figures.put("grown_bytes", purpose.committed().growthBytes());
        });
    purposes.stream()
        .max(Comparator.comparingLong(purpose -> purpose.reserved().growthBytes()))
        .filter(_ -> !words.containsKey("grown"))
        .ifPresent(purpose -> {
          words.put("reserver", title(purpose));
          words.put(
              "reserver_share",
              Numbers.percent(purpose.reserved().growthBytes(), total.reserved().growthBytes()));
        });
  }

  /** Compares texts of one process at one moment only: others have no common figures. */
  private void addDifference(Resident known, long committed) {
    long tracked = pasted.trackedProcess();
    if (known.source().equals(PastedMemory.KERNEL)) {
      words.put("of_kernel", "");
    } else if (tracked != 0 && known.pid() != 0 && tracked != known.pid()) {
      words.put("other_process", "");
      words.put("resident_process", Long.toString(known.pid()));
      words.put("tracked_process", Long.toString(tracked));
    } else if (known.bytes() > committed) {
      figures.put("untracked", known.bytes() - committed);
    }
  }

  /** {@return the name of a purpose in a sentence} */
  private static String title(Purpose purpose) {
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
}
