package dev.stowage.onnx.symbolic;

import dev.stowage.plan.shapes.SizeExpression;
import java.util.List;

/** Rules for attention layers: the result, and the keys and values for the next step. */
final class AttentionRules {

  private AttentionRules() {}

  /** {@return a rule's results for a result and equal or different keys and values} */
  private static List<SymbolicValue> results(
      OperatorCall call, SymbolicShape result, SymbolicShape keys, SymbolicShape values) {
    return List.of(
        SymbolicValue.of(call.code(0), result),
        SymbolicValue.of(call.code(0), keys),
        SymbolicValue.of(call.code(0), values));
  }

  /** The attention of {@code com.microsoft} with one matrix for queries, keys and values. */
  static List<SymbolicValue> packed(OperatorCall call) {
    SymbolicShape input = call.shape(0);
    List<Long> sizes = call.integers("qkv_hidden_sizes").orElse(List.of());
    SizeExpression hidden =
        sizes.size() == 3 ? SizeExpression.of(sizes.get(2)) : call.shape(1).last().floorDivide(3);
    SymbolicShape result = input.with(input.rank() - 1, hidden);
    if (call.outputCount() == 1) {
      return OperatorCall.result(call.code(0), result);
    }
    SymbolicShape present;
    if (call.has(4)) {
      SymbolicShape past = call.shape(4);
      present =
          call.flag("past_present_share_buffer")
              ? past
              : past.with(3, past.at(3).plus(input.at(1)));
    } else {
      SizeExpression heads = heads(call, "num_heads");
      present =
          SymbolicShape.of(
              SizeExpression.of(2),
              input.at(0),
              heads,
              input.at(1),
              call.sizing().floorDivide(hidden, heads));
    }
    return List.of(SymbolicValue.of(call.code(0), result), SymbolicValue.of(call.code(0), present));
  }

  private static SizeExpression heads(OperatorCall call, String name) {
    long heads = call.integer(name, 0);
    if (heads <= 0) {
      throw call.unknown();
    }
    return SizeExpression.of(heads);
  }

  /** The attention of {@code com.microsoft} with queries, keys and values. */
  static List<SymbolicValue> multiHead(OperatorCall call) {
    SymbolicShape query = call.shape(0);
    SizeExpression heads = heads(call, "num_heads");
    boolean isAllInQuery = query.rank() == 5;
    SizeExpression headSize =
        isAllInQuery ? query.at(4) : call.sizing().floorDivide(query.at(2), heads);
    SizeExpression length;
    SizeExpression valueSize;
    if (isAllInQuery) {
      length = query.at(1);
      valueSize = headSize;
    } else if (call.has(1) && call.shape(1).rank() == 5) {
      length = call.shape(1).at(1);
      valueSize = call.shape(1).at(4);
    } else if (call.has(2) && call.shape(2).rank() == 4) {
      length = call.shape(2).at(2);
      valueSize = call.shape(2).at(3);
    } else {
      SymbolicShape value = call.shape(2);
      length = value.at(1);
      valueSize = call.sizing().floorDivide(value.at(2), heads);
    }
    SizeExpression total = call.has(6) ? call.shape(6).at(2).plus(length) : length;
    SymbolicShape result = SymbolicShape.of(query.at(0), query.at(1), heads.times(valueSize));
    return results(
        call,
        result,
        SymbolicShape.of(query.at(0), heads, total, headSize),
        SymbolicShape.of(query.at(0), heads, total, valueSize));
  }

  /** The attention of {@code com.microsoft} whose keys and values have fewer heads. */
  static List<SymbolicValue> grouped(OperatorCall call) {
    SymbolicShape query = call.shape(0);
    SizeExpression heads = heads(call, "num_heads");
    SizeExpression keyHeads = heads(call, "kv_num_heads");
    boolean isPacked = !call.has(1);
    SizeExpression headSize =
        call.sizing().floorDivide(query.at(2), isPacked ? heads.plus(keyHeads.times(2)) : heads);
    if (call.outputCount() > 1) {
      // The keys and values may be a buffer of a larger length, which is known at run time.
      SymbolicShape present = SymbolicShape.of(query.at(0), keyHeads, call.unknownSize(), headSize);
      return results(call, query.with(2, heads.times(headSize)), present, present);
    }
    return OperatorCall.result(call.code(0), query.with(2, heads.times(headSize)));
  }

  /** The attention of the standard. */
  static List<SymbolicValue> standard(OperatorCall call) {
    SymbolicShape query = call.shape(0);
    SymbolicShape key = call.shape(1);
    SymbolicShape value = call.shape(2);
    SizeExpression queryHeads;
    SizeExpression keyHeads;
    SizeExpression headSize;
    SizeExpression valueSize;
    if (query.rank() == 4) {
      queryHeads = query.at(1);
      keyHeads = key.at(1);
      headSize = key.at(3);
      valueSize = value.at(3);
    } else {
      queryHeads = heads(call, "q_num_heads");
      keyHeads = heads(call, "kv_num_heads");
      headSize = call.sizing().floorDivide(key.at(2), keyHeads);
      valueSize = call.sizing().floorDivide(value.at(2), keyHeads);
    }
    SizeExpression length = key.at(key.rank() - 2);
    SizeExpression total = call.has(4) ? call.shape(4).at(2).plus(length) : length;
    SizeExpression steps = query.at(query.rank() - 2);
    SymbolicShape result =
        query.rank() == 4 ? query.with(3, valueSize) : query.with(2, queryHeads.times(valueSize));
    return List.of(
        SymbolicValue.of(call.code(0), result),
        SymbolicValue.of(call.code(1), SymbolicShape.of(query.at(0), keyHeads, total, headSize)),
        SymbolicValue.of(call.code(2), SymbolicShape.of(query.at(0), keyHeads, total, valueSize)),
        SymbolicValue.of(call.code(0), SymbolicShape.of(query.at(0), queryHeads, steps, total)));
  }
}
