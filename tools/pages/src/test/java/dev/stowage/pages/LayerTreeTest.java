package dev.stowage.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.testing.Seeds;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class LayerTreeTest {

  /** {@return the prefix of the layer of each name at a level; empty if there is none} */
  private static List<String> groups(LayerTree tree, int nameCount, int level) {
    return IntStream.range(0, nameCount)
        .map(name -> tree.layerOf(name, level))
        .mapToObj(layer -> layer < 0 ? "" : tree.layers().get(layer).prefix())
        .toList();
  }

  @Test
  void of_names_groupsThemByLevels() {
    List<String> names =
        List.of(
            "input",
            "jit(main)/net/stem/conv",
            "jit(main)/net/body/block_1_expand/Relu",
            "jit(main)/net/body/block_1_project/Relu",
            "jit(main)/net/body/block_2/cell/Relu",
            "jit(main)/net/add");
    LayerTree tree = LayerTree.of(names);

    assertThat(groups(tree, 6, 0))
        .containsExactly(
            "",
            "jit(main)/net",
            "jit(main)/net",
            "jit(main)/net",
            "jit(main)/net",
            "jit(main)/net");
    assertThat(groups(tree, 6, 1))
        .containsExactly(
            "",
            "jit(main)/net/stem",
            "jit(main)/net/body",
            "jit(main)/net/body",
            "jit(main)/net/body",
            "jit(main)/net");
    assertThat(groups(tree, 6, 2))
        .containsExactly(
            "",
            "jit(main)/net/stem",
            "jit(main)/net/body/block_1",
            "jit(main)/net/body/block_1",
            "jit(main)/net/body/block_2",
            "jit(main)/net");
    assertThat(tree.levelCount()).isEqualTo(4);
    // At level 1, three of five names are in the body.
    assertThat(tree.balancedLevel()).isEqualTo(2);
  }

  @Test
  void of_nameThatIsAlsoALayer_liesInThatLayer() {
    LayerTree tree = LayerTree.of(List.of("conv", "conv/weights", "conv:0", "relu"));
    assertThat(groups(tree, 4, 0)).containsExactly("conv", "conv", "conv", "");
    assertThat(tree.layers()).containsExactly(new LayerTree.Layer("conv", -1, 0, 3));
  }

  @Test
  void of_namesWithoutLayers_isEmpty() {
    LayerTree tree = LayerTree.of(List.of("a", "b", "c_1"));
    assertThat(tree.layers()).isEmpty();
    assertThat(tree.levelCount()).isZero();
    assertThat(tree.balancedLevel()).isZero();
    assertThat(tree.layerOf(2)).isEqualTo(-1);
    assertThat(tree.layerOf(2, 0)).isEqualTo(-1);
  }

  static LongStream seeds() {
    return Seeds.of(400);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void of_anyNames_agreesWithSetsOfNames(long seed) {
    Random random = new Random(seed);
    String[] words = {"a", "b", "1", "b_2", "::", ".", "/", "/", "_", ";", ":0", "x.1"};
    int wordCount = 2 + random.nextInt(words.length - 1);
    List<String> names = new ArrayList<>();
    for (int n = random.nextInt(40); n > 0; n--) {
      names.add(
          IntStream.range(0, random.nextInt(9))
              .mapToObj(_ -> words[random.nextInt(wordCount)])
              .collect(Collectors.joining()));
    }
    LayerTree tree = LayerTree.of(names);

    Map<String, Set<Integer>> namesOf = naiveLayers(names);
    Set<Set<Integer>> distinct = Set.copyOf(namesOf.values());
    assertThat(tree.layers()).hasSameSizeAs(distinct);
    for (int i = 0; i < tree.layers().size(); i++) {
      LayerTree.Layer layer = tree.layers().get(i);
      Set<Integer> inLayer = namesOf.getOrDefault(layer.prefix(), Set.of());
      assertThat(inLayer).as(layer.prefix()).hasSize(layer.nameCount());
      assertThat(namesIn(i, tree, names.size())).isEqualTo(inLayer);
      assertThat(layer.parent()).isLessThan(i);
      long around =
          distinct.stream()
              .filter(other -> other.size() > inLayer.size() && other.containsAll(inLayer))
              .count();
      assertThat(layer.level()).isEqualTo((int) around);
      assertThat(layer.prefix()).isEqualTo(naivePrefix(inLayer, namesOf, around == 0));
    }
  }

  private static Set<Integer> namesIn(int layer, LayerTree tree, int nameCount) {
    Set<Integer> names = new TreeSet<>();
    for (int name = 0; name < nameCount; name++) {
      for (int around = tree.layerOf(name);
          around >= 0;
          around = tree.layers().get(around).parent()) {
        if (around == layer) {
          names.add(name);
        }
      }
    }
    return names;
  }

  private static Map<String, Set<Integer>> naiveLayers(List<String> names) {
    Map<String, Set<Integer>> namesOf = new TreeMap<>();
    for (int name = 0; name < names.size(); name++) {
      String prefix = "";
      for (String segment : LayerName.segments(LayerName.cleaned(names.get(name)))) {
        prefix += segment;
        namesOf.computeIfAbsent(prefix, _ -> new TreeSet<>()).add(name);
      }
    }
    for (int name = 0; name < names.size(); name++) {
      String cleaned = LayerName.cleaned(names.get(name));
      if (namesOf.containsKey(cleaned)) {
        namesOf.get(cleaned).add(name);
      }
    }
    return namesOf;
  }

  /** {@return the prefix that a layer of names should have} */
  private static String naivePrefix(
      Set<Integer> names, Map<String, Set<Integer>> namesOf, boolean isOutermost) {
    List<String> prefixes =
        namesOf.entrySet().stream()
            .filter(layer -> layer.getValue().equals(names))
            .map(Map.Entry::getKey)
            .sorted(Comparator.comparingInt(String::length))
            .toList();
    String shortest = prefixes.getFirst();
    return prefixes.stream()
        .filter(prefix -> isOutermost || prefix.indexOf('/', shortest.length()) < 0)
        .reduce(shortest, (_, last) -> last);
  }
}
