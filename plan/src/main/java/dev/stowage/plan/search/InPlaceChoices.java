package dev.stowage.plan.search;

import dev.stowage.plan.InPlace;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/** The choice, for each pair of records in place, whether a plan uses it; some may be open. */
final class InPlaceChoices {

  /** The choice for a pair. */
  enum Choice {
    /** The plan may use the pair or not. */
    OPEN,
    /** Both records have the same offset and share bytes at their common task. */
    MERGED,
    /** The records share no byte. */
    SEPARATE
  }

  private static final int NONE = -1;

  /** The pairs of a problem that a plan may use, by record. */
  static final class Pairs {

    private final PlanProblem problem;
    private final List<InPlace> list;

    /** The pair that puts each record in place of another, or {@link #NONE}. */
    private final int[] above;

    /** The pairs that put others in place of each record. */
    private final List<List<Integer>> below = new ArrayList<>();

    /**
     * Creates the pairs of a problem, without pairs of two pinned records, which may overlap in any
     * case.
     */
    Pairs(PlanProblem problem) {
      this.problem = problem;
      list =
          problem.usableInPlace().stream()
              .filter(pair -> !isPinned(pair.record()) || !isPinned(pair.source()))
              .toList();
      above = new int[problem.records().size()];
      Arrays.fill(above, NONE);
      for (int i = 0; i < above.length; i++) {
        below.add(List.of());
      }
      for (int pair = 0; pair < list.size(); pair++) {
        above[list.get(pair).record()] = pair;
        int source = list.get(pair).source();
        if (below.get(source).isEmpty()) {
          below.set(source, new ArrayList<>(1));
        }
        below.get(source).add(pair);
      }
    }

    private boolean isPinned(int record) {
      return problem.records().get(record).pinnedOffset().isPresent();
    }

    private boolean hasOneTask(int record) {
      TensorUsageRecord it = problem.records().get(record);
      return it.firstTask() == it.lastTask();
    }

    int count() {
      return list.size();
    }

    /** {@return the pair that puts a record in place of another; -1 if there is none} */
    int ofRecord(int record) {
      return above[record];
    }

    private boolean isOfEqualBytes(int pair) {
      return bytes(pair) == problem.records().get(list.get(pair).source()).bytes();
    }

    private long bytes(int pair) {
      return problem.records().get(list.get(pair).record()).bytes();
    }
  }

  private final Pairs pairs;
  private final Choice[] choices;

  private InPlaceChoices(Pairs pairs, Choice[] choices) {
    this.pairs = pairs;
    this.choices = choices;
  }

  /** {@return the same choice for all pairs; not {@code MERGED}, since not all pairs may be} */
  static InPlaceChoices all(Pairs pairs, Choice choice) {
    Choice[] choices = new Choice[pairs.count()];
    Arrays.fill(choices, choice);
    return new InPlaceChoices(pairs, choices);
  }

  /**
   * {@return as many merged pairs as possible, pairs with the most bytes first; the others are
   * separate}
   *
   * @param onlyEqual true to merge only records of equal sizes
   */
  static InPlaceChoices mostlyMerged(Pairs pairs, boolean onlyEqual) {
    InPlaceChoices merged = all(pairs, Choice.OPEN);
    IntStream.range(0, pairs.count())
        .boxed()
        .sorted(Comparator.comparingLong(pairs::bytes).reversed())
        .filter(pair -> merged.choices[pair] == Choice.OPEN)
        .forEach(pair -> merged.choose(pair, !onlyEqual || pairs.isOfEqualBytes(pair)));
    return merged;
  }

  /** {@return true if the choices for all pairs are equal} */
  boolean isSameAs(InPlaceChoices other) {
    return Arrays.equals(choices, other.choices);
  }

  InPlaceChoices copy() {
    return new InPlaceChoices(pairs, choices.clone());
  }

  /** Merges an open pair, and separates the pairs that a plan cannot use beside it. */
  private void merge(int pair) {
    int record = pairs.list.get(pair).record();
    int source = pairs.list.get(pair).source();
    pairs.below.get(source).forEach(this::separate);
    // The three records of two pairs with the same task would share bytes at this task.
    if (pairs.hasOneTask(source) && pairs.above[source] != NONE) {
      separate(pairs.above[source]);
    }
    if (pairs.hasOneTask(record)) {
      pairs.below.get(record).forEach(this::separate);
    }
    choices[pair] = Choice.MERGED;
  }

  /** Separates a merged pair, or merges another one and separates the pairs that exclude it. */
  void flip(int pair) {
    choose(pair, choices[pair] != Choice.MERGED);
  }

  private void separate(int pair) {
    choices[pair] = Choice.SEPARATE;
  }

  /** Merges or separates an open pair. */
  void choose(int pair, boolean isMerged) {
    if (isMerged) {
      merge(pair);
    } else {
      separate(pair);
    }
  }

  /** {@return these choices with the pairs of each chain separate that has a pinned record} */
  InPlaceChoices withoutPinnedChains() {
    InPlaceChoices others = copy();
    for (int i = 0; i < pairs.above.length; i++) {
      if (ofRecord(i) != Choice.MERGED) {
        boolean isPinned = false;
        for (int member = i; member != NONE; member = successor(member)) {
          isPinned |= pairs.isPinned(member);
        }
        for (int member = successor(i); isPinned && member != NONE; member = successor(member)) {
          others.separate(pairs.above[member]);
        }
      }
    }
    return others;
  }

  /** {@return the choice for the pair that puts a record in place of another, if there is one} */
  Choice ofRecord(int record) {
    return pairs.above[record] == NONE ? Choice.SEPARATE : choices[pairs.above[record]];
  }

  /** {@return the record that takes over the bytes of another by choice; -1 if there is none} */
  int successor(int source) {
    for (int pair : pairs.below.get(source)) {
      if (choices[pair] == Choice.MERGED) {
        return pairs.list.get(pair).record();
      }
    }
    return NONE;
  }

  /** {@return the source of the pair that puts a record in place of another} */
  int source(int record) {
    return pairs.list.get(pairs.above[record]).source();
  }
}
