package com.example.sessions;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import dev.stowage.allocator.BfcOptions;
import dev.stowage.memory.device.HostMemory;
import dev.stowage.onnxruntime.OnnxRuntimeAllocator;
import java.nio.FloatBuffer;
import java.util.Map;

/** Runs a model in memory of an allocator. */
final class Main {

  private static final long[] SHAPE = {1, 3, 32, 32};

  private Main() {}

  public static void main(String[] args) throws OrtException {
    OrtEnvironment environment = OrtEnvironment.getEnvironment();
    try (HostMemory host = HostMemory.open();
        OnnxRuntimeAllocator allocator =
            OnnxRuntimeAllocator.register("consumer", host, BfcOptions.expandable());
        OrtSession.SessionOptions options = new OrtSession.SessionOptions()) {
      allocator.configure(options);
      try (OrtSession session = environment.createSession(args[0], options)) {
        run(environment, session);
      }
      allocator.check();
      if (allocator.statistics().peakBytesInUse() == 0) {
        throw new AssertionError("expected the session to allocate: " + allocator.report());
      }
    }
  }

  private static void run(OrtEnvironment environment, OrtSession session) throws OrtException {
    FloatBuffer values = FloatBuffer.allocate(3 * 32 * 32);
    String input = session.getInputNames().iterator().next();
    try (OnnxTensor tensor = OnnxTensor.createTensor(environment, values, SHAPE);
        OrtSession.Result result = session.run(Map.of(input, tensor))) {
      if (result.size() == 0) {
        throw new AssertionError("expected an output");
      }
    }
  }
}
