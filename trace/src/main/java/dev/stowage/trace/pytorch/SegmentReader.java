package dev.stowage.trace.pytorch;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A reader of segments and their blocks. It checks that the blocks tile the segment. */
final class SegmentReader {

  /** The result of reading a segment or a block. */
  sealed interface Result {}

  /** A segment of a device. */
  record Segment(int device, SnapshotSegment segment) implements Result {}

  /**
   * A block. Some versions of PyTorch write no address; it is the end of the block before.
   *
   * @param latest the latest request; the versions without addresses write it in place of a stack
   */
  private record Block(@Nullable Object address, SnapshotBlock block, Optional<Request> latest)
      implements Result {

    /** {@return the block at its place, with the request that it serves} */
    SnapshotBlock at(long place) {
      Optional<Request> served =
          latest.filter(request -> block.state().isActive() && request.address() == place);
      return new SnapshotBlock(
          place,
          block.bytes(),
          Math.min(
              block.requestedBytes(), served.map(Request::bytes).orElse(block.requestedBytes())),
          block.state(),
          served.map(Request::stack).orElse(block.stack()));
    }
  }

  /** A request for a block, from its history in a snapshot of PyTorch 2.0. */
  record Request(long address, long bytes, int stack) {}

  /** A segment or block that violates the format. */
  record Invalid(String problem) implements Result {}

  private final StackReader stacks;

  SegmentReader(StackReader stacks) {
    this.stacks = stacks;
  }

  /** {@return the block of a dict} */
  Result block(PickleDict dict) {
    Object bytes = dict.get("size");
    if (!isByteCount(bytes)) {
      return new Invalid("has no number 'size' of bytes from 1 to 2^63 - 1");
    }
    Object requested = dict.get("requested_size");
    long requestedBytes = EntryReader.number(EntryReader.isNumber(requested) ? requested : bytes);
    if (requestedBytes < 0) {
      return new Invalid("has a 'requested_size' that is not from 0 to 2^63 - 1");
    }
    String state = dict.get("state") instanceof String text ? text : "";
    SnapshotBlock block =
        new SnapshotBlock(
            0,
            EntryReader.number(bytes),
            requestedBytes,
            BlockState.of(state),
            stacks.stack(dict.get("frames")));
    return new Block(dict.get("address"), block, latestRequest(dict));
  }

  private static Optional<Request> latestRequest(PickleDict dict) {
    return dict.get("frames") == null
            && dict.get("history") instanceof PickleList list
            && list.count() > 0
            && list.get(0) instanceof Request latest
        ? Optional.of(latest)
        : Optional.empty();
  }

  /** {@return the request of a dict; Python's None if the dict is not one of a request} */
  Object request(PickleDict dict) {
    Object address = dict.get("addr");
    Object bytes = dict.get("real_size");
    return EntryReader.isNumber(address) && isByteCount(bytes)
        ? new Request(
            EntryReader.number(address),
            EntryReader.number(bytes),
            stacks.stack(dict.get("frames")))
        : Pickle.None.NONE;
  }

  /** {@return the segment of a dict} */
  Result segment(PickleDict dict) {
    Object address = dict.get("address");
    Object bytes = dict.get("total_size");
    if (!EntryReader.isNumber(address)) {
      return new Invalid("has no number 'address'");
    }
    if (!isByteCount(bytes)) {
      return new Invalid("has no number 'total_size' of bytes from 1 to 2^63 - 1");
    }
    long device = dict.get("device") instanceof Long index ? index : 0;
    if (device < 0 || device > Integer.MAX_VALUE) {
      return new Invalid("has a 'device' that is not from 0 to 2^31 - 1");
    }
    if (!(dict.get("blocks") instanceof PickleList list)) {
      return new Invalid("has no list 'blocks'");
    }
    List<SnapshotBlock> blocks = new ArrayList<>();
    String problem =
        addBlocks(list, EntryReader.number(address), EntryReader.number(bytes), blocks);
    // A second segment with the same list would take its memory again.
    list.setReading(Pickle.None.NONE);
    if (!problem.isEmpty()) {
      return new Invalid(problem);
    }
    SnapshotSegment segment =
        new SnapshotSegment(
            EntryReader.number(address),
            EntryReader.number(bytes),
            new SegmentLane(
                EntryReader.number(dict.get("stream")),
                EntryReader.pool(dict.get("segment_pool_id")),
                "small".equals(dict.get("segment_type"))),
            Boolean.TRUE.equals(dict.get("is_expandable")),
            stacks.stack(dict.get("frames")),
            blocks);
    return new Segment((int) device, segment);
  }

  /** Adds the blocks of a segment and {@return their problem; empty if they tile the segment} */
  private static String addBlocks(
      PickleList list, long address, long bytes, List<SnapshotBlock> blocks) {
    long offset = 0;
    for (int i = 0; i < list.count(); i++) {
      if (!(list.get(i) instanceof Result result)) {
        return String.format(Locale.ROOT, "has block %d that is not a dict with a 'state'", i);
      }
      switch (result) {
        case Invalid invalid -> {
          return String.format(Locale.ROOT, "has block %d that %s", i, invalid.problem());
        }
        case Segment segment -> {
          return String.format(Locale.ROOT, "has block %d that is a segment", i);
        }
        case Block read -> {
          Object given = read.address();
          SnapshotBlock block = read.block();
          if (given != null && EntryReader.number(given) != address + offset) {
            return String.format(
                Locale.ROOT,
                "has block %d at address %s, expected %s, where the block before ends",
                i,
                Long.toUnsignedString(EntryReader.number(given)),
                Long.toUnsignedString(address + offset));
          }
          if (block.bytes() > bytes - offset) {
            return String.format(
                Locale.ROOT, "has block %d that ends behind the %d bytes of the segment", i, bytes);
          }
          blocks.add(read.at(address + offset));
          offset += block.bytes();
        }
      }
    }
    return offset == bytes
        ? ""
        : String.format(
            Locale.ROOT, "has blocks of %d bytes, expected the %d of the segment", offset, bytes);
  }

  private static boolean isByteCount(@Nullable Object value) {
    return value instanceof Long bytes && bytes > 0;
  }
}
