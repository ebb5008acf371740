package dev.stowage.cli.pasted;

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
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The culprit of pasted texts, and the texts that are missing for a full answer. */
public final class PastedVerdict {

  /** Less than this share is not the culprit. */
  private static final double LEAST_SHARE = 0.25;

  private static final long LEAST_FREE_BYTES = 16 << 20;

  private final PastedMemory pasted;
  private final Optional<Conclusion> owners;
  private final Map<String, Long> figures;
  private final Map<String, String> words;

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
    owners.ifPresent(found -> words.put("owners", found.sentence()));
    pasted.dump().ifPresent(_ -> words.put("mappings", ""));
    long retained = figures.getOrDefault("retained", 0L);
    long all = pasted.residentBytes().orElse(figures.getOrDefault("outstanding", 0L) + retained);
    if (figures.containsKey("retained") && retained >= LEAST_SHARE * all) {
      words.put("much_retained", "");
    }
    pasted.residentBytes().ifPresent(this::addResident);
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
        figures.containsKey("resident") ? ByteUnit.human(figures.get("resident")) : "unknown",
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

  private void addResident(long bytes) {
    pasted.parts().entrySet().stream()
        .max(Map.Entry.comparingByValue())
        .ifPresent(part -> {
          figures.put("largest_part", part.getValue());
          words.put("largest_kind", part.getKey().replace('_', ' '));
        });
    if (figures.containsKey("limit")) {
      long limit = figures.get("limit");
      words.put("limit_share", Numbers.percent(bytes, limit));
      figures.put("rest", Math.max(0, limit - figures.getOrDefault("mostHeap", 0L)));
    }
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
    largest(purposes.stream().filter(it -> !it.hasStacks()), it -> it.committed().bytes())
        .ifPresent(largest -> add("purpose", largest, largest.committed().bytes(), committed));
    total
        .mallocBytes()
        .ifPresent(bytes -> {
          figures.put("malloc", bytes);
          words.put("malloc_share", Numbers.percent(bytes, committed));
        });
    if (purposes.stream().anyMatch(Purpose::hasStacks)) {
      words.put("stacks", "");
    }
    largest(
            purposes.stream()
                .filter(purpose -> purpose.freeBytes() >= LEAST_FREE_BYTES)
                .filter(it -> it.freeBytes() > LEAST_SHARE * it.committed().bytes()),
            Purpose::freeBytes)
        .ifPresent(purpose -> add("unloaded", purpose, purpose.freeBytes(), committed));
    long listed = purposes.stream().mapToLong(purpose -> purpose.committed().bytes()).sum();
    if (listed < committed / 100 * 99) {
      figures.put("unlisted", committed - listed);
    }
    // Texts of two moments or processes have no common figures.
    long untracked = pasted.residentBytes().orElse(0) - committed;
    if (untracked > 0 && !words.containsKey("of_kernel") && !words.containsKey("other_process")) {
      figures.put("untracked", untracked);
    }
  }

  private static Optional<Purpose> largest(
      Stream<Purpose> purposes, ToLongFunction<Purpose> bytes) {
    return purposes.max(Comparator.comparingLong(bytes));
  }

  /** Adds a purpose, its bytes, and their share. */
  private void add(String name, Purpose purpose, long bytes, long allBytes) {
    words.put(name, value("title_" + purpose.name()).orElse(purpose.name()));
    figures.put(name + "_bytes", bytes);
    words.put(name + "_share", Numbers.percent(bytes, allBytes));
  }

  private void addGrowth(Purpose total, List<Purpose> purposes) {
    long growth = total.committed().growthBytes();
    figures.put("growth", growth);
    largest(purposes.stream(), purpose -> purpose.committed().growthBytes())
        .filter(purpose -> purpose.committed().growthBytes() * 2 > growth)
        .ifPresent(grown -> add("grown", grown, grown.committed().growthBytes(), growth));
    long reserved = total.reserved().growthBytes();
    largest(purposes.stream(), purpose -> purpose.reserved().growthBytes())
        .ifPresent(it -> add("reserver", it, it.reserved().growthBytes(), reserved));
  }
}
