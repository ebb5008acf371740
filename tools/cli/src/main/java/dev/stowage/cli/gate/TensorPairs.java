package dev.stowage.cli.gate;

import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/** The records of two versions of an input, each with its record in the other version. */
public final class TensorPairs {

  /*
   * Records are paired in these steps. Each takes the records that are left, in the order of their first tasks:
   *
   *   1. the same name, unless the name is only a number: an index, which a new tensor shifts
   *   2. the same number, size and length
   *   3. the same size and length: a renamed record, or one with another index
   *   4. the same number
   */

  /** A record in one or both versions. */
  public record Pair(Optional<BaselineRecord> before, Optional<BaselineRecord> now) {}

  /**
   * The record of the earlier version for each record of the later version. Equal records are
   * different keys.
   */
  private final IdentityHashMap<BaselineRecord, BaselineRecord> befores = new IdentityHashMap<>();

  private final Set<BaselineRecord> paired = Collections.newSetFromMap(new IdentityHashMap<>());
  private final List<BaselineRecord> before;
  private final List<BaselineRecord> now;

  public TensorPairs(List<BaselineRecord> before, List<BaselineRecord> now) {
    this.before = List.copyOf(before);
    this.now = List.copyOf(now);
    pair(record -> isNumber(record.name()) ? Optional.empty() : Optional.of(record.name()));
    pair(record ->
        isNumber(record.name())
            ? Optional.of(List.of(record.name(), outline(record)))
            : Optional.empty());
    pair(record -> Optional.of(outline(record)));
    pair(record -> isNumber(record.name()) ? Optional.of(record.name()) : Optional.empty());
  }

  /** Pairs the records that are left and have the same key, if they have one. */
  private void pair(Function<BaselineRecord, Optional<Object>> keys) {
    Map<Object, Deque<BaselineRecord>> left = new HashMap<>();
    inOrder(before)
        .filter(record -> !paired.contains(record))
        .forEach(record ->
            keys.apply(record)
                .ifPresent(key -> left.computeIfAbsent(key, _ -> new ArrayDeque<>()).add(record)));
    for (BaselineRecord record : inOrder(now).toList()) {
      if (!befores.containsKey(record)) {
        Deque<BaselineRecord> same = keys.apply(record).map(left::get).orElseGet(ArrayDeque::new);
        if (!same.isEmpty()) {
          befores.put(record, same.peek());
          paired.add(same.remove());
        }
      }
    }
  }

  private static Stream<BaselineRecord> inOrder(List<BaselineRecord> records) {
    return records.stream().sorted(Comparator.comparingLong(BaselineRecord::firstTask));
  }

  private static boolean isNumber(String name) {
    return !name.isEmpty() && name.chars().allMatch(letter -> '0' <= letter && letter <= '9');
  }

  private static List<Long> outline(BaselineRecord record) {
    return List.of(record.size(), record.furtherTasks());
  }

  /**
   * {@return the record of the earlier version for one of the later version; empty for a new one}
   */
  Optional<BaselineRecord> before(BaselineRecord record) {
    return Optional.ofNullable(befores.get(record));
  }

  /** {@return all records: the later version in its order, and then the records that are gone} */
  public List<Pair> all() {
    return Stream.concat(
            now.stream().map(record -> new Pair(before(record), Optional.of(record))),
            before.stream()
                .filter(record -> !paired.contains(record))
                .map(record -> new Pair(Optional.of(record), Optional.empty())))
        .toList();
  }
}
