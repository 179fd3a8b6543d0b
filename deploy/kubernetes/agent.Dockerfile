# The agent as an image, for the init container: the jar and a cp. Any base that has cp will do.
#   docker build -f deploy/kubernetes/agent.Dockerfile -t portcullis-agent:dev agent/target
FROM busybox:stable
COPY portcullis-agent.jar /portcullis-agent.jar
USER 10001:10001
CMD ["cp", "/portcullis-agent.jar", "/portcullis/portcullis-agent.jar"]
