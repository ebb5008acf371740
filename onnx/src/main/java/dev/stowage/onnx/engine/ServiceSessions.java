package dev.stowage.onnx.engine;

import ai.onnxruntime.NodeInfo;
import ai.onnxruntime.OnnxJavaType;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.OrtSession.SessionOptions;
import ai.onnxruntime.OrtSession.SessionOptions.OptLevel;
import ai.onnxruntime.TensorInfo;
import dev.stowage.core.MalformedFileException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Sessions of a model with the options of a service: all optimizations, memory patterns and the
 * arena.
 *
 * <p>Each session has inputs of its own in memory outside the heap, filled with zeros.
 */
public final class ServiceSessions implements AutoCloseable {

  private final Path model;
  private final Map<String, Long> dimensions;
  private final int threadCount;
  private final List<OrtSession> sessions = new ArrayList<>();
  private final List<Map<String, OnnxTensor>> inputs = new ArrayList<>();

  /**
   * Creates a service without sessions. The first one starts the environment of the process.
   *
   * @param model the file
   * @param dimensions the sizes of open dimensions, by name or by position as {@code input[axis]}
   * @param threadCount the number of threads in an operator
   */
  public ServiceSessions(Path model, Map<String, Long> dimensions, int threadCount) {
    this.model = model;
    this.dimensions = Map.copyOf(dimensions);
    this.threadCount = threadCount;
    EngineEnvironment.get();
  }

  /** {@return the version of ONNX Runtime} */
  public static String version() {
    return EngineEnvironment.get().getVersion();
  }

  /**
   * Creates a further session.
   *
   * @throws MalformedFileException if ONNX Runtime rejects the model
   */
  public void addSession() throws MalformedFileException {
    try (SessionOptions options = EngineEnvironment.options(OptLevel.ALL_OPT)) {
      options.setIntraOpNumThreads(threadCount);
      sessions.add(EngineEnvironment.get().createSession(model.toString(), options));
    } catch (OrtException e) {
      throw EngineRefusal.of(model.toString(), e);
    }
  }

  /**
   * Creates the inputs of all sessions.
   *
   * @throws MalformedFileException if an input is not a tensor of numbers with known dimensions
   */
  public void createInputs() throws MalformedFileException {
    try {
      for (OrtSession session : sessions) {
        Map<String, OnnxTensor> tensors = new LinkedHashMap<>();
        inputs.add(tensors);
        for (NodeInfo input : session.getInputInfo().values()) {
          tensors.put(input.getName(), zeros(input));
        }
      }
    } catch (OrtException e) {
      throw EngineRefusal.of(model.toString(), e);
    }
  }

  private OnnxTensor zeros(NodeInfo input) throws MalformedFileException, OrtException {
    if (!(input.getInfo() instanceof TensorInfo tensor)
        || tensor.type == OnnxJavaType.STRING
        || tensor.type == OnnxJavaType.UNKNOWN) {
      throw rejected(input, "is not a tensor of numbers, expected one");
    }
    long[] shape = tensor.getShape();
    long bytes = tensor.type.size;
    for (int axis = 0; axis < shape.length; axis++) {
      shape[axis] = size(input.getName(), tensor, axis);
      if (shape[axis] < 0) {
        throw rejected(
            input, String.format(Locale.ROOT, "leaves dimension %d open, expected --dim", axis));
      }
      bytes = Math.multiplyExact(bytes, shape[axis]);
    }
    ByteBuffer buffer =
        ByteBuffer.allocateDirect(Math.toIntExact(bytes)).order(ByteOrder.nativeOrder());
    return OnnxTensor.createTensor(EngineEnvironment.get(), buffer, shape, tensor.type);
  }

  private long size(String input, TensorInfo tensor, int axis) {
    if (tensor.getShape()[axis] >= 0) {
      return tensor.getShape()[axis];
    }
    Long byPosition = dimensions.get(String.format(Locale.ROOT, "%s[%d]", input, axis));
    return byPosition != null
        ? byPosition
        : dimensions.getOrDefault(tensor.getDimensionNames()[axis], -1L);
  }

  private MalformedFileException rejected(NodeInfo input, String problem) {
    return new MalformedFileException(
        model.toString(),
        String.format(Locale.ROOT, "input '%s'", MalformedFileException.excerpt(input.getName())),
        problem);
  }

  /**
   * Runs each session once, one after the other.
   *
   * @throws MalformedFileException if a run fails
   */
  public void run() throws MalformedFileException {
    for (int i = 0; i < sessions.size(); i++) {
      try (OrtSession.Result outputs = sessions.get(i).run(inputs.get(i))) {
        outputs.size();
      } catch (OrtException e) {
        throw EngineRefusal.of(model.toString(), e);
      }
    }
  }

  @Override
  public void close() {
    inputs.forEach(tensors -> tensors.values().forEach(OnnxTensor::close));
    for (OrtSession session : sessions) {
      try {
        session.close();
      } catch (OrtException e) {
        throw new AssertionError("a session failed to close: " + Arrays.asList(e.getMessage()), e);
      }
    }
  }
}
