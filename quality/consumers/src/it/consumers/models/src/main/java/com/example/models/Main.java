package com.example.models;

import dev.stowage.allocator.BfcOptions;
import dev.stowage.plan.strategy.MemoryStrategy;
import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorScope;
import dev.stowage.memory.device.HostMemory;
import dev.stowage.memory.pool.MemoryPool;
import dev.stowage.onnx.OnnxOptions;
import dev.stowage.onnx.OnnxReader;
import dev.stowage.tflite.TfliteReader;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Path;

/** Plans a model of each kind, and takes an arena of that size from a pool. */
final class Main {

  private Main() {}

  public static void main(String[] args) throws IOException {
    Path examples = Path.of(args[0]);
    allocate(
        TfliteReader.read(examples.resolve("mobilenet_v2.tflite"), TensorScope.INTERMEDIATES)
            .problem());
    allocate(
        OnnxReader.read(
                examples.resolve("tiny_cnn.onnx"),
                OnnxOptions.defaults().withDimension("batch", 1))
            .problem());
  }

  private static void allocate(PlanProblem problem) {
    OffsetsAssignment plan = MemoryStrategy.GREEDY_BY_SIZE.planOffsets(problem);
    try (HostMemory host = HostMemory.open();
        MemoryPool pool = MemoryPool.open("consumer", host, BfcOptions.expandable());
        Arena arena = pool.openArena()) {
      if (arena.allocate(plan.totalBytes()).byteSize() != plan.totalBytes()) {
        throw new AssertionError("expected an arena of the plan: bytes=" + plan.totalBytes());
      }
    }
  }
}
