package dev.stowage.onnxruntime;

import static org.assertj.core.api.Assertions.assertThat;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtSession;
import dev.stowage.allocator.Allocation;
import dev.stowage.allocator.AllocationListener;
import dev.stowage.allocator.BfcOptions;
import dev.stowage.allocator.BfcOutOfMemoryException;
import dev.stowage.allocator.internal.ByteCount;
import dev.stowage.memory.device.HostMemory;
import dev.stowage.testing.SampleSource;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.params.ParameterizedTest;

/** Runs of real models on the allocator. */
class SampleModelsTest {

  @ParameterizedTest
  @SampleSource(
      folder = "models/onnx",
      extension = ".onnx",
      value = {
        "light_squeezenet",
        "light_shufflenet",
        "light_inception_v1",
        "fastestdet",
        "yunet_n_640",
        "ultraface_rfb320"
      })
  void run_realModel_outputsAreTheSameAndNothingIsLiveAtTheEnd(Path file) throws Exception {
    byte[] model = Files.readAllBytes(file);
    AtomicLong misaligned = new AtomicLong();
    try (HostMemory host = HostMemory.open();
        OnnxRuntimeAllocator allocator =
            OnnxRuntimeAllocator.register(
                "engine", host, BfcOptions.expandable(), alignment(misaligned))) {
      try (OrtSession own = Engine.session(model);
          OrtSession ours = Engine.session(model, allocator)) {
        Map<String, OnnxTensor> inputs = Engine.inputs(own);
        List<float[]> expected = Engine.run(own, inputs);
        for (int run = 0; run < 3; run++) {
          assertEqual(Engine.run(ours, inputs), expected);
        }
        inputs.values().forEach(OnnxTensor::close);
      }
      allocator.check();
      assertThat(allocator.statistics().bytesInUse()).isZero();
      assertThat(allocator.statistics().allocations()).isPositive();
    }
    assertThat(misaligned).hasValue(0);
  }

  /** Compares bit by bit, and faster than by reflection. */
  private static void assertEqual(List<float[]> actual, List<float[]> expected) {
    assertThat(actual).usingElementComparator(Arrays::compare).containsExactlyElementsOf(expected);
  }

  private static AllocationListener alignment(AtomicLong misaligned) {
    return new AllocationListener() {
      @Override
      public void allocated(Allocation allocation) {
        if (allocation.address() % MallocedMemory.ALIGNMENT_BYTES != 0) {
          misaligned.incrementAndGet();
        }
      }

      @Override
      public void freed(long id) {}

      @Override
      public void failed(long bytes) {}
    };
  }

  @ParameterizedTest
  @SampleSource(
      folder = "models/onnx",
      extension = ".onnx",
      value = {"yunet_n_640", "ultraface_rfb320"})
  void run_halfOfTheMemory_outputsAreTheSameAndCheckTells(Path file) throws Exception {
    byte[] model = Files.readAllBytes(file);
    try (HostMemory host = HostMemory.open();
        OrtSession own = Engine.session(model)) {
      Map<String, OnnxTensor> inputs = Engine.inputs(own);
      List<float[]> expected = Engine.run(own, inputs);
      long peakBytes;
      try (OnnxRuntimeAllocator allocator =
              OnnxRuntimeAllocator.register("engine", host, BfcOptions.expandable());
          OrtSession ours = Engine.session(model, allocator)) {
        Engine.run(ours, inputs);
        peakBytes = allocator.statistics().peakBytesInUse();
      }
      BfcOptions half = BfcOptions.expandable().withLimit(peakBytes / 2);
      try (OnnxRuntimeAllocator allocator = OnnxRuntimeAllocator.register("half", host, half);
          OrtSession ours = Engine.session(model, allocator)) {
        for (int run = 0; run < 3; run++) {
          assertEqual(Engine.run(ours, inputs), expected);
        }
        assertThat(failure(allocator))
            .hasMessageContaining("limit: " + ByteCount.exact(peakBytes / 2));
      }
      inputs.values().forEach(OnnxTensor::close);
    }
  }

  private static Throwable failure(OnnxRuntimeAllocator allocator) {
    try {
      allocator.check();
      throw new AssertionError("no request was refused");
    } catch (BfcOutOfMemoryException refused) {
      return refused;
    }
  }
}
