package dev.stowage.tflite.micro;

import dev.stowage.tflite.micro.CompressedData.Form;
import dev.stowage.tflite.micro.CompressedModel.Graph;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/** Models with compressed constants, whose heads a real interpreter has measured. */
final class CompressedSamples {

  private static final int RANDOM_COUNT = 30;

  private static final List<Form> DECODED = List.of(Form.LUT, Form.HUFFMAN, Form.PRUNED);

  private CompressedSamples() {}

  /** {@return the names of all samples} */
  static Stream<String> names() {
    return Stream.concat(
        Stream.of(
            "lut", "huffman", "pruned", "separate", "metadata", "both", "branch", "assign", "late"),
        Stream.iterate(1, seed -> seed <= RANDOM_COUNT, seed -> seed + 1).map(seed -> "r" + seed));
  }

  /** {@return the model of a sample} */
  static byte[] model(String name) {
    return switch (name) {
      case "lut" -> chain(Form.LUT, Form.LUT);
      case "huffman" -> chain(Form.HUFFMAN, Form.LUT);
      case "pruned" -> chain(Form.PRUNED, Form.PRUNED);
      case "separate" -> separate();
      case "metadata" -> chain(Form.METADATA, Form.METADATA);
      case "both" -> chain(Form.LUT, Form.METADATA);
      case "branch" -> branch();
      case "assign" -> assign();
      case "late" -> late();
      default -> random(Long.parseLong(name.substring(1)));
    };
  }

  private static byte[] chain(Form weights, Form bias) {
    CompressedModel model = new CompressedModel(7);
    Graph main = model.graph();
    int input = main.image(6);
    int first = main.convolution(input, 20, weights, bias);
    int second = main.depthwise(first, weights, bias);
    int third = main.concatenation(List.of(second, input), 9, weights);
    int output = main.fullyConnected(third, 3, weights, bias);
    main.inputs(input);
    main.outputs(output);
    return model.write();
  }

  /** An operator for each constant, so that memory of the application has only the last of them. */
  private static byte[] separate() {
    CompressedModel model = new CompressedModel(11);
    Graph main = model.graph();
    main.decodeSeparately();
    int input = main.image(8);
    int first = main.convolution(input, 16, Form.LUT, Form.PRUNED);
    int second = main.convolution(first, 8, Form.HUFFMAN, Form.PLAIN);
    main.inputs(input);
    main.outputs(main.sum(second, input));
    return model.write();
  }

  private static byte[] branch() {
    CompressedModel model = new CompressedModel(13);
    Graph main = model.graph();
    Graph then = model.graph();
    Graph otherwise = model.graph();
    int thenInput = then.image(12);
    then.inputs(thenInput);
    then.outputs(then.convolution(thenInput, 5, Form.LUT, Form.LUT));
    int otherInput = otherwise.image(12);
    otherwise.inputs(otherInput);
    int deep = otherwise.depthwise(otherInput, Form.PRUNED, Form.LUT);
    otherwise.outputs(otherwise.convolution(deep, 5, Form.HUFFMAN, Form.PLAIN));
    int flag = main.flag();
    int input = main.image(7);
    int wide = main.convolution(input, 12, Form.LUT, Form.PRUNED);
    int chosen = main.branch(flag, wide, 5, then, otherwise);
    main.inputs(flag, input);
    main.outputs(main.fullyConnected(chosen, 4, Form.HUFFMAN, Form.LUT));
    return model.write();
  }

  private static byte[] assign() {
    CompressedModel model = new CompressedModel(17);
    Graph main = model.graph();
    Graph once = model.graph();
    int value = once.constant(Form.LUT, CompressedModel.INT8, 0.1f, 1, 0, 1, 8, 8, 6);
    int handle = once.variable();
    once.assign(handle, value);
    main.callOnce(once);
    int input = main.image(6);
    int read = main.read(main.variable(), 6);
    main.inputs(input);
    main.outputs(main.convolution(main.sum(input, read), 6, Form.METADATA, Form.METADATA));
    return model.write();
  }

  /** A large constant is decoded long before its use. */
  private static byte[] late() {
    CompressedModel model = new CompressedModel(19);
    Graph main = model.graph();
    int input = main.image(6);
    int constant = main.constant(Form.LUT, CompressedModel.INT8, 0.1f, 1, 0, 1, 8, 8, 30);
    main.flush();
    int wide = main.convolution(input, 70, Form.PLAIN, Form.PLAIN);
    int narrow = main.convolution(wide, 6, Form.PLAIN, Form.PLAIN);
    int all = main.concatenation(List.of(narrow, constant), 0, Form.PLAIN);
    main.inputs(input);
    main.outputs(main.fullyConnected(all, 5, Form.PRUNED, Form.PLAIN));
    return model.write();
  }

  private static byte[] random(long seed) {
    CompressedModel model = new CompressedModel(seed);
    Random random = model.random();
    boolean hasLookups = random.nextInt(3) == 0;
    boolean hasBranch = !hasLookups && random.nextInt(3) == 0;
    Graph main = model.graph();
    if (random.nextInt(4) == 0) {
      main.decodeSeparately();
    }
    int input = main.image(random.nextInt(1, 16));
    int flag = hasBranch ? main.flag() : -1;
    List<Integer> images = new ArrayList<>(List.of(input));
    List<Integer> unread = new ArrayList<>(images);
    int stepCount = random.nextInt(3, 12);
    for (int step = 0; step < stepCount; step++) {
      int image = images.get(random.nextInt(images.size()));
      unread.removeIf(it -> it == image);
      int result =
          switch (random.nextInt(hasBranch ? 5 : 4)) {
            case 0 -> main.depthwise(image, weights(random, hasLookups), bias(random, hasLookups));
            case 1 -> {
              int other = images.get(random.nextInt(images.size()));
              if (main.channels(other) == main.channels(image)) {
                unread.removeIf(it -> it == other);
                yield main.sum(image, other);
              }
              yield main.concatenation(
                  List.of(image), random.nextInt(1, 40), weights(random, hasLookups));
            }
            case 2, 3 ->
                main.convolution(
                    image,
                    random.nextInt(1, 40),
                    weights(random, hasLookups),
                    bias(random, hasLookups));
            default -> branch(model, main, flag, image);
          };
      images.add(result);
      unread.add(result);
    }
    int last =
        unread.size() == 1
            ? unread.getFirst()
            : main.concatenation(unread.subList(0, Math.min(9, unread.size())), 0, Form.PLAIN);
    int output =
        main.fullyConnected(
            last, random.nextInt(1, 5), weights(random, hasLookups), bias(random, hasLookups));
    main.inputs(hasBranch ? new int[] {flag, input} : new int[] {input});
    main.outputs(output);
    return model.write();
  }

  private static int branch(CompressedModel model, Graph main, int flag, int image) {
    Random random = model.random();
    int channels = random.nextInt(1, 20);
    Graph then = model.graph();
    Graph otherwise = model.graph();
    for (Graph graph : List.of(then, otherwise)) {
      int input = graph.image(main.channels(image));
      graph.inputs(input);
      graph.outputs(
          graph.convolution(input, channels, weights(random, false), bias(random, false)));
    }
    return main.branch(flag, image, channels, then, otherwise);
  }

  private static Form weights(Random random, boolean hasLookups) {
    int choice = random.nextInt(6);
    if (choice == 0) {
      return Form.PLAIN;
    }
    return hasLookups && choice < 4 ? Form.METADATA : DECODED.get(random.nextInt(3));
  }

  private static Form bias(Random random, boolean hasLookups) {
    Form form = weights(random, hasLookups);
    return form == Form.HUFFMAN ? Form.PLAIN : form;
  }

  /** {@return memory regions of an application, which have some constants, all or none of them} */
  static List<List<Long>> regions(long largestBytes) {
    return List.of(
        List.of(),
        List.of(largestBytes),
        List.of(largestBytes / 3),
        List.of(largestBytes / 5, largestBytes / 2));
  }
}
