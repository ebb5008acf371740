package dev.stowage.cli.tune;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Results of settings whose figures are all the same.
 *
 * @param results the results, at least one, that of the simplest settings first
 * @param <T> the results
 */
public record EqualResults<T>(List<T> results) {

  /** Creates a group. */
  public EqualResults {
    results = List.copyOf(results);
  }

  /**
   * {@return the groups of results, in the order of their first results}
   *
   * @param results the results, the best one first and, of those with the same figures, that of the
   *     simplest settings first
   * @param figures returns the figures of a result
   */
  static <T> List<EqualResults<T>> of(List<T> results, Function<T, Object> figures) {
    Map<Object, List<T>> groups = new LinkedHashMap<>();
    for (T result : results) {
      groups.computeIfAbsent(figures.apply(result), _ -> new ArrayList<>()).add(result);
    }
    return groups.values().stream().map(EqualResults::new).toList();
  }

  /** {@return the result of the simplest settings: those that change least} */
  public T simplest() {
    return results.getFirst();
  }

  /** {@return the results of the other settings} */
  public List<T> others() {
    return results.subList(1, results.size());
  }
}
