package dev.stowage.cli.diff;

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

/** The tensors of two versions of an input, each with its tensor in the other version. */
public final class TensorPairs {

  /*
   * Records are paired in these steps. Each takes the records that are left, in the order of their first tasks:
   *
   *   1. the same name, unless the name is only a number: an index, which a new tensor shifts
   *   2. the same number, size and length
   *   3. the same size and length: a renamed record, or one with another index
   *   4. the same number
   */

  /**
   * A tensor.
   *
   * @param name the name; several tensors may have the same
   * @param size the bytes
   * @param lastTask the last task, inclusive
   */
  public record Tensor(String name, long size, long firstTask, long lastTask) {

    /** {@return the number of tasks after the first one} */
    long furtherTasks() {
      return lastTask - firstTask;
    }
  }

  /** A tensor in one or both versions. */
  record Pair(Optional<Tensor> before, Optional<Tensor> now) {}

  /**
   * The record of the earlier version for each record of the later version. Equal records are
   * different keys.
   */
  private final IdentityHashMap<Tensor, Tensor> befores = new IdentityHashMap<>();

  private final Set<Tensor> paired = Collections.newSetFromMap(new IdentityHashMap<>());
  private final List<Tensor> before;
  private final List<Tensor> now;

  TensorPairs(List<Tensor> before, List<Tensor> now) {
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
  private void pair(Function<Tensor, Optional<Object>> keys) {
    Map<Object, Deque<Tensor>> left = new HashMap<>();
    inOrder(before)
        .filter(record -> !paired.contains(record))
        .forEach(record ->
            keys.apply(record)
                .ifPresent(key -> left.computeIfAbsent(key, _ -> new ArrayDeque<>()).add(record)));
    for (Tensor record : inOrder(now).toList()) {
      if (!befores.containsKey(record)) {
        Deque<Tensor> same = keys.apply(record).map(left::get).orElseGet(ArrayDeque::new);
        if (!same.isEmpty()) {
          befores.put(record, same.peek());
          paired.add(same.remove());
        }
      }
    }
  }

  private static Stream<Tensor> inOrder(List<Tensor> records) {
    return records.stream().sorted(Comparator.comparingLong(Tensor::firstTask));
  }

  private static boolean isNumber(String name) {
    return !name.isEmpty() && name.chars().allMatch(letter -> '0' <= letter && letter <= '9');
  }

  private static List<Long> outline(Tensor record) {
    return List.of(record.size(), record.furtherTasks());
  }

  /**
   * {@return the record of the earlier version for one of the later version; empty for a new one}
   */
  Optional<Tensor> before(Tensor record) {
    return Optional.ofNullable(befores.get(record));
  }

  /** {@return all records: the later version in its order, and then the records that are gone} */
  List<Pair> all() {
    return Stream.concat(
            now.stream().map(record -> new Pair(before(record), Optional.of(record))),
            before.stream()
                .filter(record -> !paired.contains(record))
                .map(record -> new Pair(Optional.of(record), Optional.empty())))
        .toList();
  }
}
