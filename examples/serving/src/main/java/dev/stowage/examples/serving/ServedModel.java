package dev.stowage.examples.serving;

/**
 * A language model and its service.
 *
 * @param layerCount the layers, each of which has a cache for each request
 * @param tokenBytes the bytes of the keys and values of one token in one layer
 * @param maxTokens the tokens of the longest request: prompt and answer
 * @param tokensPerSecond the tokens that the service generates in a second for each request
 */
record ServedModel(int layerCount, long tokenBytes, int maxTokens, double tokensPerSecond) {

  /**
   * 32 layers, 8 heads of 128 keys and values each, 2 bytes a value, as Llama 3 with 8 billion
   * parameters.
   */
  static final ServedModel LLAMA_3_8B = new ServedModel(32, 2 * 8 * 128 * 2, 16_384, 25);
}
