package dev.stowage.examples.nativememory;

import ai.djl.huggingface.tokenizers.Encoding;
import ai.djl.huggingface.tokenizers.HuggingFaceTokenizer;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import ai.djl.translate.NoBatchifyTranslator;
import ai.djl.translate.TranslatorContext;

/** The mean of the vectors of all tokens of a text, with DJL. */
record MeanEmbedding(HuggingFaceTokenizer tokenizer)
    implements NoBatchifyTranslator<String, float[]> {

  @Override
  public NDList processInput(TranslatorContext context, String text) {
    Encoding encoding = tokenizer.encode(text);
    NDManager manager = context.getNDManager();
    return new NDList(
        input(manager, "input_ids", encoding.getIds()),
        input(manager, "attention_mask", encoding.getAttentionMask()),
        input(manager, "token_type_ids", encoding.getTypeIds()));
  }

  private static NDArray input(NDManager manager, String name, long[] values) {
    NDArray array = manager.create(values, new Shape(1, values.length));
    array.setName(name);
    return array;
  }

  @Override
  public float[] processOutput(TranslatorContext context, NDList outputs) {
    float[] vectors = outputs.head().toFloatArray();
    float[] mean = new float[Math.toIntExact(outputs.head().getShape().tail())];
    int tokens = vectors.length / mean.length;
    for (int index = 0; index < vectors.length; index++) {
      mean[index % mean.length] += vectors[index] / tokens;
    }
    return mean;
  }
}
