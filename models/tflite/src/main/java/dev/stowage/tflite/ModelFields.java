package dev.stowage.tflite;

/** The indices of fields in tables of the schema, for parts that the schema classes do not read. */
final class ModelFields {

  static final int VERSION = 0;
  static final int SUBGRAPHS = 2;
  static final int BUFFERS = 4;

  /** Buffers of metadata, by their indices; newer schemas have {@link #METADATA}. */
  static final int METADATA_BUFFERS = 5;

  static final int METADATA = 6;

  /** The number of fields of a model that are known. */
  static final int MODEL_FIELD_COUNT = 10;

  static final int SUBGRAPH_TENSORS = 0;
  static final int SUBGRAPH_OPERATORS = 3;

  static final int TENSOR_BUFFER = 2;

  static final int OPERATOR_LARGE_OPTIONS_OFFSET = 9;
  static final int OPERATOR_LARGE_OPTIONS_BYTES = 10;

  static final int BUFFER_DATA = 0;
  static final int BUFFER_OFFSET = 1;
  static final int BUFFER_BYTES = 2;

  static final int METADATA_NAME = 0;
  static final int METADATA_BUFFER = 1;

  private ModelFields() {}
}
