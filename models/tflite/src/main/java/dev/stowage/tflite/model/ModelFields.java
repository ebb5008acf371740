package dev.stowage.tflite.model;

/** The indices of fields in tables of the schema, for parts that the schema classes do not read. */
public final class ModelFields {

  public static final int VERSION = 0;
  public static final int SUBGRAPHS = 2;
  public static final int BUFFERS = 4;

  /** Buffers of metadata, by their indices; newer schemas have {@link #METADATA}. */
  public static final int METADATA_BUFFERS = 5;

  public static final int METADATA = 6;

  /** The number of known fields of a model. */
  public static final int MODEL_FIELD_COUNT = 10;

  public static final int SUBGRAPH_TENSORS = 0;
  public static final int SUBGRAPH_OPERATORS = 3;

  public static final int TENSOR_BUFFER = 2;

  public static final int OPERATOR_LARGE_OPTIONS_OFFSET = 9;
  public static final int OPERATOR_LARGE_OPTIONS_BYTES = 10;

  public static final int BUFFER_DATA = 0;
  public static final int BUFFER_OFFSET = 1;
  public static final int BUFFER_BYTES = 2;

  public static final int METADATA_NAME = 0;
  public static final int METADATA_BUFFER = 1;

  private ModelFields() {}
}
