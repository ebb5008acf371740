package dev.stowage.onnxbudget.memory;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import dev.stowage.onnx.graph.ElementType;
import dev.stowage.onnx.graph.ValueBytes;
import dev.stowage.onnx.graph.ValueType;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
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
 */
final class SessionCreation {

  /** The smallest weight that counts. */
  private static final long LEAST_BYTES = 1024;

  /** A small block between large ones, for the names and dimensions of a tensor. */
  private static final long DESCRIPTION_BYTES = 192;

  /** The small blocks of the environment, among them the schemas of operators. */
  private static final long ENVIRONMENT_BYTES = 9L << 20;

  /** The small blocks of a node and its values. */
  private static final long NODE_BYTES = 5L << 10;

  private static final long LARGEST_GRAPH_BYTES = 32L << 20;

  /** The first region of an arena; each further one has twice the bytes of the one before. */
  private static final long FIRST_REGION_BYTES = 1L << 20;

  /** The number of orders that are tried. */
  private static final int ORDERS = 3;

  /** The size of the buffer through which a larger file is read; others have one of their size. */
  private static final long LARGEST_READ_BUFFER_BYTES = 4L << 20;

  private static final String BLOCKED = "com.microsoft.nchwc";

  /** The operators that a convolution absorbs, with changed weights. */
  private static final Set<String> FUSED = Set.of("BatchNormalization", "Mul");

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
    Map<String, Long> before = weights(original);
    Map<String, Long> after = weights(optimized);
    heap.reserve(Math.min(LARGEST_GRAPH_BYTES, NODE_BYTES * original.getNodeCount()));
    read(before);
    Map<TensorProto, Integer> shared = new HashMap<>();
    filled(before)
        .forEach((name, tensor) -> {
          add(name, tensor, before);
          Long bytes = before.get(name);
          if (bytes != null) {
            tensors.put(name, shared.computeIfAbsent(tensor, same -> fold(bytes)));
          }
        });
    Map<Long, Deque<Integer>> fused = fuse(before);
    addNew(before, after, fused);
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

  /** {@return the block of a tensor that a constant expression makes} */
  private int fold(long bytes) {
    int block = allocate(bytes, true);
    allocate(DESCRIPTION_BYTES, false);
    return block;
  }

  private void read(Map<String, Long> weights) {
    int buffer = allocate(Math.min(LARGEST_READ_BUFFER_BYTES, original.getSerializedSize()), false);
    Map<String, Integer> strings = new HashMap<>();
    weights.forEach((name, bytes) -> {
      strings.put(name, allocate(bytes + 1, false));
      allocate(DESCRIPTION_BYTES, false);
    });
    heap.free(buffer);
    if (settings.version().copies() == EngineVersion.Copies.ALL) {
      tensors.putAll(strings); // the session copies them later
      return;
    }
    weights.forEach((name, bytes) -> {
      tensors.put(name, allocate(bytes, true));
      allocate(DESCRIPTION_BYTES, false);
      heap.free(Objects.requireNonNull(strings.get(name)));
    });
  }

  /** {@return the changed weights of convolutions, by their sizes} */
  private Map<Long, Deque<Integer>> fuse(Map<String, Long> weights) {
    Map<NodeProto, Integer> changed = new LinkedHashMap<>();
    Map<NodeProto, Integer> steps = fusions(weights);
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

  /** {@return the numbers of operators that change the weights of convolutions} */
  private Map<NodeProto, Integer> fusions(Map<String, Long> weights) {
    Map<String, Integer> readers = new HashMap<>();
    Map<String, NodeProto> absorbed = new HashMap<>();
    for (NodeProto node : original.getNodeList()) {
      for (String input : node.getInputList()) {
        readers.merge(input, 1, Integer::sum);
        if (FUSED.contains(node.getOpType())) {
          absorbed.put(input, node);
        }
      }
    }
    Map<NodeProto, Integer> fusions = new LinkedHashMap<>();
    for (NodeProto node : original.getNodeList()) {
      boolean isConvolution = node.getOpType().equals("Conv") && node.getInputCount() > 1;
      if (isConvolution && weights.containsKey(node.getInput(1))) {
        NodeProto next = absorbed.get(node.getOutput(0));
        int count = 0;
        while (next != null) {
          count++;
          String result = next.getOutput(0);
          next = readers.getOrDefault(result, 0) == 1 ? absorbed.get(result) : null;
        }
        if (count > 0) {
          fusions.put(node, count);
        }
      }
    }
    return fusions;
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
    int tensor = allocate(newBytes, true);
    heap.free(second);
    if (isReordered) {
      heap.free(reordered);
    }
    heap.free(copy);
    allocate(DESCRIPTION_BYTES, false);
    return tensor;
  }

  /** Takes regions for an arena with copies of weights, and then frees these weights. */
  private void copyToArena() {
    Set<String> names = LoadRequests.largeCopies(optimized, settings);
    long left =
        names.isEmpty() ? 0 : TouchedMemory.arenaBytes(LoadRequests.of(optimized, settings));
    for (long region = FIRST_REGION_BYTES; left > 0; region *= 2) {
      heap.allocate(count++, region, Math.min(region, left), true);
      left -= region;
    }
    Set<Integer> copied = new LinkedHashSet<>();
    for (String name : names) {
      Integer block = tensors.remove(name);
      if (block != null) {
        copied.add(block);
      }
    }
    copied.removeIf(tensors::containsValue);
    freeAll(new ArrayList<>(copied));
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

  /**
   * {@return the tensors that the graph fills with a constant, by their names in the order of use}
   *
   * <p>Each has the type, the shape and, as its data, one element.
   */
  private Map<String, TensorProto> filled(Map<String, Long> weights) {
    Map<String, TensorProto> shapes = new HashMap<>();
    original.getInitializerList().forEach(tensor -> shapes.put(tensor.getName(), tensor));
    Map<String, TensorProto> tensorsByName = new HashMap<>();
    Map<String, TensorProto> filled = new LinkedHashMap<>();
    for (NodeProto node : original.getNodeList()) {
      if (node.getOpType().equals("ConstantOfShape")) {
        TensorProto shape = shapes.get(node.getInput(0));
        if (shape != null) {
          tensorsByName.put(node.getOutput(0), filled(node, shape));
        }
      }
      for (String input : node.getInputList()) {
        TensorProto tensor = tensorsByName.get(input);
        if (tensor != null && !weights.containsKey(input)) {
          filled.put(input, tensor);
        }
      }
    }
    return filled;
  }

  private static TensorProto filled(NodeProto node, TensorProto shape) {
    return node.getAttributeList().stream()
        .filter(AttributeProto::hasT)
        .map(attribute -> attribute.getT().toBuilder())
        .findFirst()
        .orElseGet(() -> TensorProto.newBuilder().setDataType(ElementType.FLOAT.code()))
        .clearName()
        .clearDims()
        .addAllDims(integers(shape))
        .build();
  }

  private static List<Long> integers(TensorProto tensor) {
    if (!tensor.hasRawData()) {
      return tensor.getInt64DataList();
    }
    LongBuffer values =
        tensor.getRawData().asReadOnlyByteBuffer().order(ByteOrder.LITTLE_ENDIAN).asLongBuffer();
    List<Long> integers = new ArrayList<>();
    while (values.hasRemaining()) {
      integers.add(values.get());
    }
    return integers;
  }

  /** {@return the sizes of the weights of a graph and its bodies by their names} */
  private static Map<String, Long> weights(GraphProto graph) {
    Map<String, Long> weights = new LinkedHashMap<>();
    addWeights(graph, weights);
    return weights;
  }

  private static void addWeights(GraphProto graph, Map<String, Long> weights) {
    for (NodeProto node : graph.getNodeList()) {
      for (AttributeProto attribute : node.getAttributeList()) {
        if (attribute.hasG()) {
          addWeights(attribute.getG(), weights);
        }
        if (attribute.hasT() && node.getOpType().equals("Constant")) {
          add(node.getOutput(0), attribute.getT(), weights);
        }
      }
    }
    graph.getInitializerList().forEach(tensor -> add(tensor.getName(), tensor, weights));
  }

  private static void add(String name, TensorProto tensor, Map<String, Long> weights) {
    ValueType type = ValueType.Tensor.of(tensor.getDataType(), tensor.getDimsList());
    if (ValueBytes.of(type) instanceof ValueBytes.Known(long bytes) && bytes >= LEAST_BYTES) {
      weights.put(name, bytes);
    }
  }
}
