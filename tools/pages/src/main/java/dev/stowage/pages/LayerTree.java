package dev.stowage.pages;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The layers of a model, as the names of its tensors show them ({@link LayerName}).
 *
 * <p>A layer is a common prefix of names, such as {@code model/block_3}. Level 0 has the outermost
 * layers. Prefixes of the same names are one layer, so that each layer has fewer names than the
 * layer around it. Of several prefixes, a layer has the longest one at level 0 ({@code
 * jit(main)/Model}), and otherwise the longest one without another {@code /}.
 */
final class LayerTree {

  /*
   * Building takes O(n) steps for n names of limited length:
   *
   *   1. A trie has a node for each prefix of each name.
   *   2. A name that is also a prefix of others lies in that layer: "conv" if there is
   *      "conv/weights".
   *   3. A node with as many names below it as its parent is the same layer.
   */

  private static final int NONE = -1;

  /**
   * A layer.
   *
   * @param prefix the start of the names of its tensors
   * @param parent the index of the layer around it, which is smaller than its own; -1 at level 0
   * @param level the number of layers around it
   * @param nameCount the number of names in it, including those in layers within it
   */
  record Layer(String prefix, int parent, int level, int nameCount) {}

  private record Child(int parent, String segment) {}

  private final List<Layer> layers = new ArrayList<>();
  private final int[] layerOf;

  private LayerTree(int nameCount) {
    layerOf = new int[nameCount];
  }

  /**
   * {@return the layers of names}
   *
   * @param names the names of tensors or operators, for example by {@link LayerName#of}
   */
  static LayerTree of(List<String> names) {
    LayerTree tree = new LayerTree(names.size());
    Trie trie = new Trie();
    for (int i = 0; i < names.size(); i++) {
      tree.layerOf[i] = trie.add(LayerName.segments(LayerName.cleaned(names.get(i))));
    }
    for (int i = 0; i < names.size(); i++) {
      tree.layerOf[i] = trie.count(tree.layerOf[i], LayerName.cleaned(names.get(i)));
    }
    tree.addLayers(trie);
    return tree;
  }

  private void addLayers(Trie trie) {
    int[] layerOfNode = new int[trie.prefixes.size()];
    BitSet complete = new BitSet(); // the layers that keep their prefix
    for (int node = 0; node < layerOfNode.length; node++) {
      int around = trie.parents.get(node);
      int count = trie.counts.get(node);
      int parent = around == NONE ? NONE : layerOfNode[around];
      String prefix = trie.prefixes.get(node);
      if (parent != NONE && layers.get(parent).nameCount() == count) {
        layerOfNode[node] = parent;
        Layer same = layers.get(parent);
        if (same.level() > 0 && prefix.charAt(trie.prefixes.get(around).length()) == '/') {
          complete.set(parent);
        }
        if (!complete.get(parent)) {
          layers.set(parent, new Layer(prefix, same.parent(), same.level(), count));
        }
      } else {
        layerOfNode[node] = layers.size();
        int level = parent == NONE ? 0 : layers.get(parent).level() + 1;
        layers.add(new Layer(prefix, parent, level, count));
      }
    }
    for (int i = 0; i < layerOf.length; i++) {
      layerOf[i] = layerOf[i] == NONE ? NONE : layerOfNode[layerOf[i]];
    }
  }

  /** {@return the layers; a layer precedes those within it} */
  List<Layer> layers() {
    return layers;
  }

  /** {@return the index of the innermost layer of a name, or -1 if it is in none} */
  int layerOf(int name) {
    return layerOf[name];
  }

  /**
   * {@return the layer of a name at a level, or its innermost one if that is further out; -1 if the
   * name is in no layer}
   */
  int layerOf(int name, int level) {
    int layer = layerOf[name];
    while (layer != NONE && layers.get(layer).level() > level) {
      layer = layers.get(layer).parent();
    }
    return layer;
  }

  /** {@return the number of levels} */
  int levelCount() {
    return layers.stream().mapToInt(layer -> layer.level() + 1).max().orElse(0);
  }

  /**
   * {@return the first level at which no layer has more than half of the names that are in layers,
   * or else the last level}
   */
  int balancedLevel() {
    int[] direct = new int[layers.size()];
    int nameCount = 0;
    for (int layer : layerOf) {
      if (layer != NONE) {
        direct[layer]++;
        nameCount++;
      }
    }
    int last = Math.max(0, levelCount() - 1);
    for (int level = 0; level < last; level++) {
      int largest = 0;
      for (int i = 0; i < direct.length; i++) {
        Layer layer = layers.get(i);
        if (layer.level() <= level) {
          largest = Math.max(largest, layer.level() == level ? layer.nameCount() : direct[i]);
        }
      }
      if (2L * largest <= nameCount) {
        return level;
      }
    }
    return last;
  }

  /** The prefixes of names, and the number of names below each. */
  private static final class Trie {

    private final Map<Child, Integer> children = new HashMap<>();
    private final List<String> prefixes = new ArrayList<>();
    private final List<Integer> parents = new ArrayList<>();
    private final List<Integer> counts = new ArrayList<>();

    /** {@return the node of the longest prefix of a name; -1 if it has none} */
    int add(List<String> segments) {
      int node = NONE;
      for (String segment : segments) {
        int parent = node;
        node =
            children.computeIfAbsent(
                new Child(parent, segment),
                _ -> {
                  prefixes.add((parent == NONE ? "" : prefixes.get(parent)) + segment);
                  parents.add(parent);
                  counts.add(0);
                  return prefixes.size() - 1;
                });
      }
      return node;
    }

    /** Counts a name and {@return its node}: that of the whole name if it is a prefix of others. */
    int count(int longestPrefix, String name) {
      String rest =
          name.substring(longestPrefix == NONE ? 0 : prefixes.get(longestPrefix).length());
      int node = children.getOrDefault(new Child(longestPrefix, rest), longestPrefix);
      for (int around = node; around != NONE; around = parents.get(around)) {
        counts.set(around, counts.get(around) + 1);
      }
      return node;
    }
  }
}
