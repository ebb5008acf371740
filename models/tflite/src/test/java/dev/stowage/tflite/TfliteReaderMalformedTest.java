package dev.stowage.tflite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.stowage.plan.MalformedFileException;
import dev.stowage.plan.TensorScope;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.tensorflow.lite.schema.Operator;
import org.tensorflow.lite.schema.Tensor;

class TfliteReaderMalformedTest {

  @Test
  void read_tooShort_namesTheSizes() {
    assertMalformed(
        ByteBuffer.wrap(new byte[7]),
        "m: has 7 bytes, expected a TensorFlow Lite model of at least 8");
  }

  @Test
  void read_otherIdentifier_isShown() {
    ByteBuffer model = TestModel.chain(1).write(new int[] {0}, 2);
    model.put(6, (byte) 0);
    assertMalformed(
        model,
        "m: byte 4: found 54 46 00 33, expected 54 46 4c 33 ('TFL3'), the identifier of a TensorFlow Lite model");
  }

  @Test
  void read_rootOutsideOfTheFile_isNamed() {
    ByteBuffer model = TestModel.chain(1).write(new int[] {0}, 2).order(ByteOrder.LITTLE_ENDIAN);
    model.putInt(0, 0x7FFFFFFF);
    assertMalformed(
        model,
        "m: model: has an offset outside of the file, expected it within its %s bytes; if the file is cut short, copy it again"
            .formatted(model.capacity()));
  }

  @Test
  void read_noSubgraph_isNamed() {
    assertMalformed(new TestModel().write(0), "m: model: has no subgraph, expected at least 1");
  }

  @Test
  void read_noSuchTensor_namesTheOperator() {
    assertMalformed(
        TestModel.chain(1).operator(new int[] {-1, 3}).write(new int[] {0}, 2),
        "m: operator 2: has tensor index 3, expected 0 or more and less than 3, the number of tensors, or -1 for none");
    assertMalformed(
        TestModel.chain(1).write(new int[] {0}, -2),
        "m: subgraph 0: has tensor index -2, expected 0 or more and less than 3, the number of tensors, or -1 for none");
  }

  @Test
  void read_noSuchBuffer_namesTheTensor() {
    TestModel model = new TestModel().tensor("a", TestModel.FLOAT32, 9, false, 1);
    assertMalformed(
        model.operator(new int[] {}, 0).write(new int[] {}),
        "m: tensor 0: has buffer 9, expected 0 or more and less than 1, the number of buffers");
  }

  @Test
  void read_operatorsInAnotherOrder_namesBoth() {
    TestModel model = new TestModel().tensor("a", 1).tensor("b", 1);
    assertMalformed(
        model.operator(new int[] {0}, 1).operator(new int[] {}, 0).write(new int[] {}, 0),
        "m: operator 1: produces tensor 0, which operator 0 already reads; expected operators in execution order");
  }

  @Test
  void read_operatorThatReadsItsOutput_isNamed() {
    assertMalformed(
        new TestModel().tensor("a", 1).operator(new int[] {0}, 0).write(new int[] {}, 0),
        "m: operator 0: produces tensor 0, which operator 0 already reads; expected operators in execution order");
  }

  @Test
  void read_lengthBeyondTheFile_namesTheVector() {
    TestModel model = new TestModel().tensor("a", 1);
    int outputs = Operator.createOutputsVector(model.builder(), new int[] {0, 0x5AFE});
    ByteBuffer bytes = model.operator(outputs, outputs).write(new int[] {});
    assertMalformed(
        withWordBefore(bytes, 0, 0x5AFE, -1),
        "m: operator 0: inputs has the length 4294967295, expected 0 to %s elements of 4 bytes in a file of %s bytes"
            .formatted(bytes.capacity() / 4, bytes.capacity()));
    assertMalformed(
        withWordBefore(bytes, 0, 0x5AFE, bytes.capacity() / 4),
        "m: operator 0: has an offset outside of the file, expected it within its %s bytes; if the file is cut short, copy it again"
            .formatted(bytes.capacity()));
  }

  @Test
  void read_operatorCodeOutsideOfTheFile_isNamed() {
    ByteBuffer bytes = TestModel.chain(1).write(new int[] {0}, 2);
    ByteBuffer code =
        ByteBuffer.wrap((TestModel.CUSTOM_CODE + "\0").getBytes(StandardCharsets.US_ASCII))
            .order(ByteOrder.LITTLE_ENDIAN);
    assertMalformed(
        withWordBefore(bytes, code.getInt(0), code.getInt(4), bytes.capacity()),
        "m: operator code 0: has an offset outside of the file, expected it within its %s bytes; if the file is cut short, copy it again"
            .formatted(bytes.capacity()));
  }

  @Test
  void read_dataOutsideOfTheFile_namesTheBuffer() {
    ByteBuffer bytes = TestModel.chain(1).buffer(12345).write(new int[] {0}, 2);
    int dataAt = bytes.order(ByteOrder.LITTLE_ENDIAN).getInt(0);
    while (bytes.getInt(dataAt) != 12345) {
      dataAt += 4;
    }
    assertMalformed(
        bytes.putInt(dataAt, bytes.capacity()),
        "m: buffer 1: has an offset outside of the file, expected it within its %s bytes; if the file is cut short, copy it again"
            .formatted(bytes.capacity()));
    assertMalformed(
        bytes.putInt(dataAt, -1),
        "m: buffer 1: data has the length 4294967295, expected less than 2^31");
  }

  @Test
  void read_externalDataBeyondTheFile_namesTheBuffer() {
    assertMalformed(
        TestModel.chain(1).externalBuffer(Long.MIN_VALUE, -1).write(new int[] {0}, 2),
        "m: buffer 1: data is at byte 9223372036854775808 with the length 18446744073709551615, expected it within the %s bytes of the file"
            .formatted(
                TestModel.chain(1).externalBuffer(64, 1).write(new int[] {0}, 2).capacity()));
  }

  @Test
  void read_tensorBeyondALong_isNamed() {
    int big = Integer.MAX_VALUE;
    TestModel model = new TestModel().tensor("a", big, big, 2);
    assertMalformed(
        model.operator(new int[] {}, 0).write(new int[] {}),
        "m: tensor 0: has more than 2^63 - 1 bytes by its shape and type, expected fewer");
  }

  @Test
  void read_emptyTensorWithHugeDimensions_isEmpty() throws IOException {
    int big = Integer.MAX_VALUE;
    TestModel model = new TestModel().tensor("a", big, big, big, 0);
    ByteBuffer bytes = model.operator(new int[] {}, 0).write(new int[] {});
    assertThat(
            TfliteReader.read(
                    "m",
                    bytes,
                    TfliteOptions.defaults().withScope(TensorScope.WITH_INPUTS_AND_OUTPUTS))
                .tensors())
        .isEmpty();
  }

  @Test
  void read_tensorsThatTogetherAreBeyondALong_areNamed() {
    int[] shape = {1 << 30, 1 << 30};
    TestModel model = new TestModel().tensor("a", shape).tensor("b", shape);
    assertMalformed(
        model.operator(new int[] {}, 0, 1).write(new int[] {}),
        "m: tensor 1: is the first tensor at which the sum of all exceeds 2^63 - 1 bytes, expected fewer");
  }

  @Test
  void read_vectorSharedByAllOperators_endsWithTheBudget() {
    // 4000 operators with one vector of 4000 inputs: 16 million entries in a file of 100 KB.
    TestModel model = TestModel.chain(1);
    int[] inputs = new int[4000];
    int shared = Operator.createInputsVector(model.builder(), inputs);
    for (int i = 0; i < inputs.length; i++) {
      model.operator(shared, 0);
    }
    assertBudgetEnds(model.write(new int[] {0}, 2));
  }

  @Test
  void read_operatorSharedByAllTasks_endsWithTheBudget() {
    // One operator, named 100 000 times, of 10 000 outputs.
    TestModel model = new TestModel();
    for (int i = 0; i < 10_000; i++) {
      model.tensor("t" + i, 1);
    }
    int[] all = new int[10_000];
    Arrays.setAll(all, i -> i);
    model.operator(new int[] {}, all);
    assertBudgetEnds(model.repeatLastOperator(100_000).write(new int[] {}));
  }

  @Test
  void read_longNameSharedByAllTensors_endsWithTheBudget() {
    TestModel model = new TestModel();
    int name = model.builder().createString("x".repeat(10_000));
    int shape = Tensor.createShapeVector(model.builder(), new int[] {1});
    int[] all = new int[20_000];
    for (int i = 0; i < all.length; i++) {
      model.tensor(name, TestModel.FLOAT32, 0, false, shape);
      all[i] = i;
    }
    assertBudgetEnds(model.operator(new int[] {}, all).write(new int[] {}));
  }

  /** {@return the model, with another word before the first occurrence of two words} */
  private static ByteBuffer withWordBefore(ByteBuffer bytes, int first, int second, int word) {
    ByteBuffer model = ByteBuffer.wrap(TestModel.bytesOf(bytes)).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 4; i <= model.capacity() - 8; i += 4) {
      if (model.getInt(i) == first && model.getInt(i + 4) == second) {
        return model.putInt(i - 4, word);
      }
    }
    throw new AssertionError("there are no such words");
  }

  private static void assertBudgetEnds(ByteBuffer model) {
    long budget = Math.min(64L << 20, (64L << 10) + 16L * model.capacity());
    assertThatExceptionOfType(MalformedFileException.class)
        .isThrownBy(() ->
            TfliteReader.read(
                "m",
                model,
                TfliteOptions.defaults().withScope(TensorScope.WITH_INPUTS_AND_OUTPUTS)))
        .withMessageMatching(
            "m: (operator|tensor) \\d+: has tables and vectors of more than %s bytes in all, expected at most that for a file of %s bytes: a length is wrong, or parts are shared too often"
                .formatted(budget, model.capacity()));
  }

  private static void assertMalformed(ByteBuffer model, String message) {
    assertThatExceptionOfType(MalformedFileException.class)
        .isThrownBy(() ->
            TfliteReader.read(
                "m",
                model,
                TfliteOptions.defaults().withScope(TensorScope.WITH_INPUTS_AND_OUTPUTS)))
        .withMessage(message);
  }
}
