package dev.stowage.house;

import java.lang.classfile.ClassModel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Groups of classes of which each one depends on all others: the strongly connected components of
 * the graph of their references.
 *
 * <p>A nested class counts with its outer class. The algorithm is that of Tarjan (1972).
 */
final class ClassCircles {

  private final Map<String, Set<String>> uses = new TreeMap<>();
  private final Map<String, Integer> numbers = new HashMap<>();
  private final Map<String, Integer> lowest = new HashMap<>();
  private final Deque<String> path = new ArrayDeque<>();
  private final List<Set<String>> groups = new ArrayList<>();

  private ClassCircles(List<ClassModel> classes) {
    Set<String> names = new TreeSet<>();
    classes.forEach(model -> names.add(outer(model.thisClass().asInternalName())));
    for (ClassModel model : classes) {
      Set<String> used =
          uses.computeIfAbsent(outer(model.thisClass().asInternalName()), _ -> new TreeSet<>());
      for (String reference : CompiledClasses.references(model, _ -> false)) {
        String name = outer(reference.substring(reference.indexOf(" -> ") + 4));
        if (names.contains(name)) {
          used.add(name);
        }
      }
    }
  }

  /** {@return the groups of two and more classes, the largest first} */
  static List<Set<String>> of(List<ClassModel> classes) {
    ClassCircles circles = new ClassCircles(classes);
    circles.uses.keySet().forEach(circles::visit);
    circles.groups.sort(
        Comparator.comparingInt((Set<String> group) -> -group.size())
            .thenComparing(group -> group.iterator().next()));
    return circles.groups;
  }

  private void visit(String name) {
    if (numbers.containsKey(name)) {
      return;
    }
    int number = numbers.size();
    numbers.put(name, number);
    lowest.put(name, number);
    path.push(name);
    for (String used : uses.getOrDefault(name, Set.of())) {
      visit(used);
      if (path.contains(used)) {
        lowest.merge(name, lowest.get(used), Math::min);
      }
    }
    if (lowest.get(name) == number) {
      Set<String> group = new TreeSet<>();
      String last;
      do {
        last = path.pop();
        group.add(last);
      } while (!last.equals(name));
      if (group.size() > 1) {
        groups.add(group);
      }
    }
  }

  private static String outer(String name) {
    int nested = name.indexOf('$');
    return nested < 0 ? name : name.substring(0, nested);
  }
}
