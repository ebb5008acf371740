package dev.stowage.tflite.micro;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * The scratch buffers of all operators.
 *
 * @param requests the buffers in the order of TensorFlow Lite Micro's planner
 */
record MicroScratch(List<Request> requests) {

  MicroScratch {
    requests = List.copyOf(requests);
  }

  /**
   * A request of a kernel.
   *
   * @param constant the constant that is decompressed into the buffer; empty for other buffers
   */
  record Request(ScratchBuffer buffer, Optional<String> constant) {

    long bytes() {
      return MicroAlignment.roundedUp(buffer.bytes());
    }

    String name() {
      return constant
          .map(name -> "decompressed " + name)
          .orElse("scratch of operator " + buffer.operator());
    }
  }

  /**
   * {@return the buffers of the interpreter or the user and the buffers for decompressed constants,
   * each once}
   */
  static MicroScratch merged(List<ScratchBuffer> buffers, Decompression decompression) {
    SortedMap<ScratchBuffer, List<Request>> byOperator =
        new TreeMap<>(
            Comparator.comparingInt(ScratchBuffer::subgraph)
                .thenComparingInt(ScratchBuffer::operator));
    for (ScratchBuffer buffer : buffers) {
      byOperator
          .computeIfAbsent(buffer, _ -> new ArrayList<>())
          .add(new Request(buffer, Optional.empty()));
    }
    for (DecompressedInput input : decompression.inputs()) {
      Request request = new Request(input.buffer(), Optional.of(input.name()));
      List<Request> all = byOperator.computeIfAbsent(input.buffer(), _ -> new ArrayList<>());
      OptionalInt same =
          IntStream.range(0, all.size())
              .filter(i -> all.get(i).constant.isEmpty() && all.get(i).bytes() == request.bytes())
              .findFirst();
      if (same.isPresent()) {
        all.set(same.getAsInt(), request);
      } else {
        all.add(request);
      }
    }
    return new MicroScratch(byOperator.values().stream().flatMap(List::stream).toList());
  }

  /** {@return the buffers without names} */
  List<ScratchBuffer> buffers() {
    return requests.stream().map(Request::buffer).toList();
  }

  /** {@return the buffers as tensors} */
  List<MicroTensor> tensors(MicroLifetimes lifetimes) {
    return requests.stream()
        .map(request ->
            new MicroTensor(
                TensorId.ofScratch(request.buffer.subgraph()),
                request.name(),
                Optional.empty(),
                request.bytes(),
                lifetimes.ofOperator(request.buffer.subgraph(), request.buffer.operator()),
                false))
        .toList();
  }
}
