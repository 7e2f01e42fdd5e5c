// expect-value: "tool_failed"
async function Run(): Promise<string> {
  try {
    return await tools.fail({ message: 'no' });
  } catch (error: unknown) {
    return (error as { code: string }).code;
  }
}
