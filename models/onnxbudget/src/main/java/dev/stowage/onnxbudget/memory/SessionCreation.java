package dev.stowage.onnxbudget.memory;

import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import dev.stowage.allocator.BfcAllocator;
import dev.stowage.allocator.BfcOptions;
import dev.stowage.trace.replay.SimulatedRegions;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;

/**
 * The memory of weights while sessions are created, and what remains of it in the C library.
 *
 * <p>ONNX Runtime reads each weight into a string and copies it to an aligned tensor. A fusion that
 * changes a weight makes further copies of it, and so does the reordering of the filters of
 * convolutions. At last, kernels pack weights. The originals are freed, those of fusions at the end
 * of a pass and in no particular order. A {@link SystemHeap} decides which memory stays resident.
 *
 * <p>A weight that the graph fills with a constant has no string. ONNX Runtime makes one tensor for
 * all of them that have the same type, shape and value.
 *
 * <p>Versions before 1.26 keep weights as strings, the results of fusions and constants too, and
 * share none of them. At last they copy weights into the arena of the session, one after the other
 * in no particular order, and free the string of each. 1.23 makes tensors of all strings before it
 * reorders weights, and copies only the reordered ones into the arena.
 *
 * <p>The weights of a body are copied for each step that builds the body. The operator that has the
 * body keeps its strings.
 */
final class SessionCreation {

  /** A small block between large ones, for the names and dimensions of a tensor. */
  private static final long DESCRIPTION_BYTES = 192;

  /** The small blocks of the environment, among them the schemas of operators. */
  private static final long ENVIRONMENT_BYTES = 9L << 20;

  /** The small blocks of a node and its values. */
  private static final long NODE_BYTES = 5L << 10;

  private static final long LARGEST_GRAPH_BYTES = 32L << 20;

  /** The bytes of a region for which an arena has a table with one byte. */
  private static final long REGION_BYTES_PER_TABLE_BYTE = 32;

  /** The copies of the weights of a body that exist only while it is built. */
  private static final int BODY_COPIES = 2;

  /** The number of orders that are tried. */
  private static final int ORDERS = 3;

  /** The size of the buffer through which a larger file is read; others have one of their size. */
  private static final long LARGEST_READ_BUFFER_BYTES = 4L << 20;

  private static final String BLOCKED = "com.microsoft.nchwc";

  private final SystemHeap heap = new SystemHeap();
  private final GraphProto original;
  private final GraphProto optimized;
  private final EngineSettings settings;
  private final Random order;
  private int count;

  /** The blocks of the tensors of the session, by names. */
  private Map<String, Integer> tensors = new LinkedHashMap<>();

  private SessionCreation(
      GraphProto original, GraphProto optimized, EngineSettings settings, long seed) {
    this.original = original;
    this.optimized = optimized;
    this.settings = settings;
    this.order = new Random(seed);
  }

  /**
   * {@return the memory of a number of sessions, the most of some orders in which replaced weights
   * are freed}
   *
   * @param original the graph in the file
   * @param optimized the graph that the sessions run
   * @param settings the options of the sessions
   * @param sessions the number of sessions
   */
  static CreationMemory of(
      GraphProto original, GraphProto optimized, EngineSettings settings, int sessions) {
    List<Long> resident = new ArrayList<>(Collections.nCopies(sessions, 0L));
    List<Long> highest = new ArrayList<>(Collections.nCopies(sessions, 0L));
    for (int seed = 1; seed <= ORDERS; seed++) {
      SessionCreation creation = new SessionCreation(original, optimized, settings, seed);
      creation.heap.reserve(ENVIRONMENT_BYTES);
      for (int i = 0; i < sessions; i++) {
        creation.create();
        resident.set(i, Math.max(resident.get(i), creation.heap.residentBytes()));
        highest.set(i, Math.max(highest.get(i), creation.heap.highestBytes()));
      }
    }
    return new CreationMemory(resident, highest);
  }

  private void create() {
    tensors = new LinkedHashMap<>();
    Map<String, Long> before = GraphWeights.of(original);
    Map<String, Long> after = GraphWeights.of(optimized);
    heap.reserve(Math.min(LARGEST_GRAPH_BYTES, NODE_BYTES * OperatorCount.of(original)));
    read(before);
    Map<TensorProto, Integer> shared = new HashMap<>();
    GraphWeights.filled(original, before)
        .forEach((name, tensor) -> {
          GraphWeights.add(name, tensor, before);
          Long bytes = before.get(name);
          if (bytes != null) {
            tensors.put(
                name,
                keepsStrings() ? fold(bytes) : shared.computeIfAbsent(tensor, same -> fold(bytes)));
          }
        });
    Map<Long, Deque<Integer>> fused = fuse(before);
    addNew(before, after, fused);
    if (settings.version().copies() == EngineVersion.Copies.SMALL_AND_BLOCKED) {
      toTensors(before, after, fused);
    }
    reorder(after);
    List<Integer> replaced = new ArrayList<>();
    fused.values().forEach(replaced::addAll);
    for (String name : before.keySet()) {
      Integer block = after.containsKey(name) ? null : tensors.remove(name);
      if (block != null && !tensors.containsValue(block)) {
        replaced.add(block);
      }
    }
    freeAll(replaced);
    copyToArena();
    pack();
  }

  /** {@return true if weights are strings until the session copies them} */
  private boolean keepsStrings() {
    return settings.version().copies() != EngineVersion.Copies.RESERVED;
  }

  /** {@return the block of a tensor that a constant expression makes} */
  private int fold(long bytes) {
    if (keepsStrings()) {
      return replace(bytes, bytes, false);
    }
    int block = allocate(bytes, true);
    allocate(DESCRIPTION_BYTES, false);
    return block;
  }

  private void read(Map<String, Long> weights) {
    int buffer = allocate(Math.min(LARGEST_READ_BUFFER_BYTES, original.getSerializedSize()), false);
    Map<String, Integer> strings = strings(weights);
    heap.free(buffer);
    Map<String, Long> inBodies = GraphWeights.ofBodies(original);
    if (!inBodies.isEmpty()) {
      List<Integer> copies = new ArrayList<>();
      for (int i = 0; i < BODY_COPIES; i++) {
        copies.addAll(strings(inBodies).values());
      }
      strings.putAll(strings(inBodies)); // the operators keep the first strings
      copies.forEach(heap::free);
    }
    if (keepsStrings()) {
      tensors.putAll(strings);
      return;
    }
    weights.forEach((name, bytes) -> {
      tensors.put(name, allocate(bytes, true));
      allocate(DESCRIPTION_BYTES, false);
      heap.free(Objects.requireNonNull(strings.get(name)));
    });
  }

  /** {@return new strings with weights, by their names} */
  private Map<String, Integer> strings(Map<String, Long> weights) {
    Map<String, Integer> strings = new LinkedHashMap<>();
    weights.forEach((name, bytes) -> {
      strings.put(name, allocate(bytes + 1, false));
      allocate(DESCRIPTION_BYTES, false);
    });
    return strings;
  }

  /** Replaces each string by a tensor. */
  private void toTensors(
      Map<String, Long> before, Map<String, Long> after, Map<Long, Deque<Integer>> fused) {
    Map<Integer, Long> sizes = new LinkedHashMap<>();
    tensors.forEach((name, string) -> {
      Long bytes = before.containsKey(name) ? before.get(name) : after.get(name);
      sizes.put(string, Objects.requireNonNull(bytes));
    });
    fused.forEach((bytes, blocks) -> blocks.forEach(string -> sizes.put(string, bytes)));
    List<Integer> strings = new ArrayList<>(sizes.keySet());
    Collections.shuffle(strings, order);
    Map<Integer, Integer> copies = new HashMap<>();
    for (int string : strings) {
      copies.put(string, allocate(Objects.requireNonNull(sizes.get(string)), true));
      heap.free(string);
    }
    tensors.replaceAll((name, string) -> Objects.requireNonNull(copies.get(string)));
    fused.replaceAll((bytes, blocks) ->
        new ArrayDeque<>(blocks.stream().map(copies::get).map(Objects::requireNonNull).toList()));
  }

  /** {@return the changed weights of convolutions, by their sizes} */
  private Map<Long, Deque<Integer>> fuse(Map<String, Long> weights) {
    Map<NodeProto, Integer> changed = new LinkedHashMap<>();
    Map<NodeProto, Integer> steps = GraphWeights.fusions(original, weights);
    int passes = steps.values().stream().mapToInt(Integer::intValue).max().orElse(0);
    for (int pass = 1; pass <= passes; pass++) {
      fuseOnce(pass, weights, steps, changed);
    }
    Map<Long, Deque<Integer>> fused = new LinkedHashMap<>();
    changed.forEach((node, block) -> {
      long bytes = Objects.requireNonNull(weights.get(node.getInput(1)));
      fused.computeIfAbsent(bytes, size -> new ArrayDeque<>()).add(block);
    });
    return fused;
  }

  /** Changes the weight of each convolution that absorbs a further operator. */
  private void fuseOnce(
      int pass,
      Map<String, Long> weights,
      Map<NodeProto, Integer> steps,
      Map<NodeProto, Integer> changed) {
    List<Integer> replaced = new ArrayList<>();
    steps.forEach((node, count) -> {
      if (count >= pass) {
        long bytes = Objects.requireNonNull(weights.get(node.getInput(1)));
        Integer last = pass == 1 ? tensors.remove(node.getInput(1)) : changed.get(node);
        if (last != null) {
          changed.put(node, replace(bytes, bytes, false));
          replaced.add(last);
        }
      }
    });
    replaced.removeIf(tensors::containsValue);
    freeAll(replaced);
  }

  /** Adds the results of constant expressions and the changed weights that stay. */
  private void addNew(
      Map<String, Long> before, Map<String, Long> after, Map<Long, Deque<Integer>> fused) {
    Set<String> reordered = new HashSet<>();
    for (NodeProto node : optimized.getNodeList()) {
      if (node.getDomain().equals(BLOCKED) && node.getInputCount() > 1) {
        reordered.add(node.getInput(1));
      }
    }
    boolean hasSources = before.size() + fused.size() >= reordered.size();
    after.forEach((name, bytes) -> {
      Deque<Integer> same = fused.get(bytes);
      if (before.containsKey(name)) {
        return;
      }
      if (reordered.contains(name)) {
        if (!hasSources) {
          fused.computeIfAbsent(bytes, size -> new ArrayDeque<>()).add(allocate(bytes, true));
        }
      } else if (same != null && !same.isEmpty()) {
        tensors.put(name, same.remove());
      } else {
        tensors.put(name, allocate(bytes, true));
      }
    });
  }

  private void reorder(Map<String, Long> weights) {
    for (NodeProto node : optimized.getNodeList()) {
      if (node.getDomain().equals(BLOCKED)
          && node.getOpType().equals("Conv")
          && weights.containsKey(node.getInput(1))
          && !tensors.containsKey(node.getInput(1))) {
        long bytes = weights.get(node.getInput(1));
        tensors.put(node.getInput(1), replace(bytes, bytes, true));
      }
    }
  }

  /** {@return a changed copy of a weight} */
  private int replace(long bytes, long newBytes, boolean isReordered) {
    int copy = allocate(bytes, true);
    int reordered = allocate(newBytes, false);
    int first = allocate(newBytes + 1, false);
    int second = isReordered ? allocate(newBytes + 1, false) : first;
    if (isReordered) {
      heap.free(first);
    } else {
      heap.free(reordered);
    }
    int tensor = keepsStrings() ? allocate(newBytes + 1, false) : allocate(newBytes, true);
    heap.free(second);
    if (isReordered) {
      heap.free(reordered);
    }
    heap.free(copy);
    allocate(DESCRIPTION_BYTES, false);
    return tensor;
  }

  /** A region of an arena. */
  private static final class ArenaRegion {

    private final long bytes;
    private final List<Integer> replaced = new ArrayList<>();
    private long writtenBytes;

    ArenaRegion(long bytes) {
      this.bytes = bytes;
    }
  }

  /** Copies weights into an arena and frees each of them. */
  private void copyToArena() {
    if (!keepsStrings()) {
      return;
    }
    for (ArenaRegion region : arenaRegions()) {
      heap.allocate(count++, region.bytes, region.writtenBytes, true);
      allocate(region.bytes / REGION_BYTES_PER_TABLE_BYTE, false);
      region.replaced.forEach(heap::free);
    }
  }

  /** {@return the regions of the arena with the weights that are copied into each} */
  private List<ArenaRegion> arenaRegions() {
    List<Map.Entry<String, Long>> copies =
        new ArrayList<>(LoadRequests.arenaCopies(optimized, settings).entrySet());
    Collections.shuffle(copies, order);
    SimulatedRegions addresses = new SimulatedRegions(false);
    BfcAllocator arena = BfcAllocator.unrecorded("arena", addresses, BfcOptions.growing());
    List<ArenaRegion> regions = new ArrayList<>();
    for (Map.Entry<String, Long> copy : copies) {
      int index = addresses.regionIndex(arena.allocate(copy.getValue()));
      if (index == regions.size()) {
        regions.add(new ArenaRegion(arena.regions().get(index).bytes()));
      }
      ArenaRegion region = regions.get(index);
      region.writtenBytes += copy.getValue();
      Integer block = tensors.remove(copy.getKey());
      if (block != null && !tensors.containsValue(block)) {
        region.replaced.add(block);
      }
    }
    return regions;
  }

  private void pack() {
    for (LoadRequests.Packing packing : LoadRequests.packings(optimized, settings)) {
      allocate(packing.bytes(), true);
      allocate(DESCRIPTION_BYTES, false);
      Integer block = tensors.remove(packing.weight());
      if (block != null) {
        heap.free(block);
      }
    }
  }

  private void freeAll(List<Integer> blocks) {
    Collections.shuffle(blocks, order);
    blocks.forEach(heap::free);
  }

  private int allocate(long bytes, boolean isAligned) {
    heap.allocate(count, bytes, isAligned);
    return count++;
  }
}
