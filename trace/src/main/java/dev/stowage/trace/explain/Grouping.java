package dev.stowage.trace.explain;

import java.util.List;

/** The property by which allocations are grouped. */
public enum Grouping {

  /** The line of the user's code: the innermost frame that does not belong to a framework. */
  LINE {
    @Override
    long number(TraceColumns columns, int allocation) {
      return columns.stackNumber(allocation);
    }

    @Override
    String key(TraceColumns columns, int allocation) {
      return UserLine.of(columns.frames(allocation)).orElse(NO_STACK);
    }
  },

  /** All frames of the call stack. */
  STACK {
    @Override
    long number(TraceColumns columns, int allocation) {
      return columns.stackNumber(allocation);
    }

    @Override
    String key(TraceColumns columns, int allocation) {
      List<String> frames = columns.frames(allocation);
      return frames.isEmpty() ? NO_STACK : String.join(" <- ", frames);
    }

    @Override
    List<String> frames(TraceColumns columns, int allocation) {
      return columns.frames(allocation);
    }
  },

  /** The purpose of the memory. */
  TAG {
    @Override
    long number(TraceColumns columns, int allocation) {
      return columns.tagNumber(allocation);
    }

    @Override
    String key(TraceColumns columns, int allocation) {
      String tag = columns.tag(allocation);
      return tag.isEmpty() ? NO_TAG : tag;
    }
  },

  /** The stream of the device. */
  STREAM {
    @Override
    long number(TraceColumns columns, int allocation) {
      return columns.streamNumber(allocation);
    }

    @Override
    String key(TraceColumns columns, int allocation) {
      return Long.toUnsignedString(columns.stream(allocation));
    }
  },

  /** The requested bytes of each allocation. */
  SIZE {
    @Override
    long number(TraceColumns columns, int allocation) {
      return columns.bytes(allocation);
    }

    @Override
    String key(TraceColumns columns, int allocation) {
      return Long.toString(columns.bytes(allocation));
    }
  };

  /** The key of older allocations. */
  public static final String OLDER = "(older than the recording)";

  /** The key of allocations without a call stack. */
  public static final String NO_STACK = "(no stack)";

  /** The key of allocations without a tag. */
  public static final String NO_TAG = "(no tag)";

  /**
   * {@return the key of allocations for which the trace lacks the property; empty if it has none}
   */
  public String unknownKey() {
    return switch (this) {
      case LINE, STACK -> NO_STACK;
      case TAG -> NO_TAG;
      case STREAM, SIZE -> "";
    };
  }

  /** {@return a number that is the same only for allocations with the same key} */
  abstract long number(TraceColumns columns, int allocation);

  /** {@return the key of an allocation} */
  abstract String key(TraceColumns columns, int allocation);

  /** {@return true if the trace has the property for an allocation} */
  boolean hasKey(TraceColumns columns, int allocation) {
    return switch (this) {
      case LINE, STACK -> !columns.frames(allocation).isEmpty();
      case TAG -> !columns.tag(allocation).isEmpty();
      case STREAM, SIZE -> true;
    };
  }

  /** {@return the frames of a stack; empty for other keys} */
  List<String> frames(TraceColumns columns, int allocation) {
    return List.of();
  }
}
